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
import { using, type Desk } from "./desk.ts";
import { asJson, pathOf, placeIn, shownText, valueIn } from "./json-value.ts";

/** Values of an array, or of JSON Lines, that are looked at. */
const maxValues = 1_000;

const input = strict({
  artifact_id: artifactId(),
  path: text().optional(),
  line: wholeNumber(1, Number.MAX_SAFE_INTEGER).optional().describe("For JSON Lines"),
});

/** Throws as `using`, `valueIn`, `placeIn`. */
export function artifactJsonKeys(desk: Desk): Tool {
  return artifactTool({
    name: "artifact_json_keys",
    description,
    input,
    effect: "read",
    run: ({ artifact_id: id, path, line }, context) =>
      using(desk, id, context, async ({ artifact, notes }) => {
        const { outputs, resultLimit, signal } = context;
        const isOfMany = asJson(artifact) === "json-lines" && line === undefined;
        const lines = isOfMany
          ? await keysOfLines(artifact, signal)
          : keysAt(placeIn(await valueIn(artifact, line, signal), pathOf(path)));
        const listing = createListing(outputs, resultLimit);
        for (const one of lines) await listing.add(shownText(artifact, one));
        return textResult(await listing.end(notes));
      }),
  });
}

function keysAt({ bytes, span }: Value): string[] {
  const type = typeAt(bytes, span);
  if (type === "object") {
    return [
      "object",
      ...Array.from(
        membersOf(bytes, span),
        ({ key, value }) => `${shownKey(stringAt(bytes, key))}: ${kindOf(bytes, value)}`,
      ),
    ];
  }
  if (type !== "array") return [`${type}: it has no keys`];
  const counts = new Map<string, number>();
  let seen = 0;
  for (const item of itemsOf(bytes, span)) {
    if (seen === maxValues) break;
    seen += 1;
    countKeys(bytes, item, counts);
  }
  return [kindOf(bytes, span), ...summary(counts, seen)];
}

async function keysOfLines(artifact: Artifact, signal: AbortSignal): Promise<string[]> {
  const counts = new Map<string, number>();
  let seen = 0;
  for await (const batch of valuesIn(artifact, 1, signal)) {
    for (const value of batch) {
      if (seen === maxValues) break;
      seen += 1;
      if (!("bad" in value)) countKeys(value.bytes, value.span, counts);
    }
    if (seen === maxValues) break;
  }
  return ["JSON Lines", ...summary(counts, seen)];
}

/** A key that comes twice in one object counts once. */
function countKeys(bytes: Buffer, value: Span, counts: Map<string, number>): void {
  if (typeAt(bytes, value) !== "object") return;
  const keys = new Set(Array.from(membersOf(bytes, value), ({ key }) => stringAt(bytes, key)));
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
}

function summary(counts: ReadonlyMap<string, number>, seen: number): string[] {
  return Array.from(counts, ([key, count]) => `${shownKey(key)}: in ${count} of the first ${seen}`);
}

function shownKey(key: string): string {
  return /^[\w-]+$/.test(key) ? key : JSON.stringify(key);
}
