/** The tool that tells what an object of a JSON file has. */

import type { Artifact } from "../../artifact/artifacts.ts";
import { valuesIn, type Value } from "../../artifact/json/document.ts";
import { itemsOf, membersOf, stringAt, typeAt, type Span } from "../../artifact/json/scan.ts";
import { kindOf } from "../../artifact/json/show.ts";
import { createListing } from "../../artifact/listing.ts";
import { textResult, type Tool } from "../tool.ts";
import { text, wholeNumber } from "../code/input.ts";
import description from "./artifact_json_keys.md";
import { artifactId, artifactTool, strict } from "./define.ts";
import { using, type ArtifactToolParts } from "./parts.ts";
import { asJson, pathOf, placeIn, safeText, valueIn } from "./json-value.ts";

/** Values of an array, or of JSON Lines, that are looked at. */
const maxValues = 1_000;
/** Different keys that are counted. */
const maxKeys = 10_000;

const input = strict({
  artifact_id: artifactId(),
  path: text().optional(),
  line: wholeNumber(1, Number.MAX_SAFE_INTEGER).optional().describe("For JSON Lines"),
});

/** Throws as `using`, `valueIn`, `placeIn`. */
export function artifactJsonKeys(parts: ArtifactToolParts): Tool {
  return artifactTool({
    name: "artifact_json_keys",
    description,
    input,
    effect: "read",
    run: ({ artifact_id: id, path, line }, context) =>
      using(parts, id, context, async ({ artifact, notes }) => {
        const { outputs, resultLimit, signal } = context;
        const isOfMany = asJson(artifact) === "json-lines" && line === undefined;
        const lines = isOfMany
          ? await keysOfLines(artifact, signal)
          : keysAt(placeIn(await valueIn(artifact, line, signal), pathOf(path)));
        const listing = createListing(outputs, resultLimit);
        for (const one of lines) {
          signal.throwIfAborted();
          await listing.add(safeText(artifact, one));
        }
        return textResult(await listing.end(notes));
      }),
  });
}

function* keysAt({ bytes, span }: Value): Generator<string> {
  const type = typeAt(bytes, span);
  if (type === "object") {
    yield "object";
    for (const { key, value } of membersOf(bytes, span)) {
      yield `${keyText(stringAt(bytes, key))}: ${kindOf(bytes, value)}`;
    }
    return;
  }
  if (type !== "array") {
    yield `${type}: it has no keys`;
    return;
  }
  yield kindOf(bytes, span);
  const counts = createKeyCounts();
  for (const item of itemsOf(bytes, span)) if (!counts.add(bytes, item)) break;
  yield* counts.told();
}

async function keysOfLines(artifact: Artifact, signal: AbortSignal): Promise<string[]> {
  const counts = createKeyCounts();
  reading: for await (const batch of valuesIn(artifact, 1, signal)) {
    for (const value of batch) {
      const isMore = "bad" in value ? counts.pass() : counts.add(value.bytes, value.span);
      if (!isMore) break reading;
    }
  }
  return ["JSON Lines", ...counts.told()];
}

type KeyCounts = {
  /** Takes a value; false: it was one too many. */
  add(bytes: Buffer, value: Span): boolean;
  /** The same, for a value that cannot be read. */
  pass(): boolean;
  told(): Iterable<string>;
};

/** How often each key comes in the first values; memory does not grow with what there is. */
function createKeyCounts(): KeyCounts {
  /** The last value that it came in: a key that comes twice in one object counts once. */
  const counts = new Map<string, { count: number; last: number }>();
  let seen = 0;
  let areMore = false;

  function pass(): boolean {
    if (seen === maxValues) return false;
    seen += 1;
    return true;
  }

  function note(key: string): void {
    const known = counts.get(key);
    if (known === undefined) counts.set(key, { count: 1, last: seen });
    else if (known.last !== seen) Object.assign(known, { count: known.count + 1, last: seen });
  }

  return {
    pass,
    add(bytes, value) {
      if (!pass()) return false;
      if (typeAt(bytes, value) !== "object") return true;
      for (const { key } of membersOf(bytes, value)) {
        const name = stringAt(bytes, key);
        if (counts.size < maxKeys || counts.has(name)) note(name);
        else areMore = true;
      }
      return true;
    },
    *told() {
      for (const [key, { count }] of counts) yield `${keyText(key)}: in ${count} of the first ${seen}`;
      if (areMore) yield `(there are more than ${maxKeys} keys)`;
    },
  };
}

function keyText(key: string): string {
  return /^[\w-]+$/.test(key) ? key : JSON.stringify(key);
}
