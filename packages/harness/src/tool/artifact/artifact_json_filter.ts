/** The tool that finds values of a JSON file. */

import { z } from "zod";
import type { Artifact } from "../../artifact/artifacts.ts";
import { documentIn, valuesIn, type Value } from "../../artifact/json/document.ts";
import { meets, type Condition } from "../../artifact/json/filter.ts";
import { shownJsonPath, type JsonPath } from "../../artifact/json/path.ts";
import { itemsOf, membersOf, typeAt } from "../../artifact/json/scan.ts";
import { onOneLine, plucked } from "../../artifact/json/show.ts";
import { createListing } from "../../artifact/listing.ts";
import { Failure } from "../../error.ts";
import { textResult, type Tool } from "../tool.ts";
import { text } from "../code/input.ts";
import description from "./artifact_json_filter.md";
import { artifactId, artifactTool, atLeastOne, strict } from "./define.ts";
import { shownOf, using, type Desk } from "./desk.ts";
import { asJson, pathOf, placeIn, shownText } from "./json-value.ts";

/** Lines that are no JSON are named up to so many. */
const maxNamed = 10;
const operators = ["eq", "ne", "lt", "lte", "gt", "gte", "contains", "exists", "absent"] as const;

const condition = strict({
  path: text(),
  op: z.enum(operators, `must be one of ${operators.join(", ")}`),
  value: z
    .union([z.string(), z.number(), z.boolean(), z.null()], "must be a string, number, true, false or null")
    .optional(),
});

const input = strict({
  artifact_id: artifactId(),
  path: text().optional(),
  where: z.array(condition, "must be a list of conditions").default([]),
  pluck: z.array(text(), "must be a list of paths").min(1, "must not be empty").optional(),
  limit: atLeastOne(),
});

/** A value, what it is called, and the line it stands on where that is known; or a line that is none. */
type Candidate = (Value & { place: string; line?: number | undefined }) | { bad: number };

/** Throws as `using`, `documentIn`, `placeIn`, E_BAD_QUERY. */
export function artifactJsonFilter(desk: Desk): Tool {
  return artifactTool({
    name: "artifact_json_filter",
    description,
    input,
    effect: "read",
    run: ({ artifact_id: id, path, where, pluck, limit }, context) =>
      using(desk, id, context, async ({ artifact, notes }) => {
        const { outputs, resultLimit, signal } = context;
        const conditions = where.map(({ path: at, ...rest }): Condition => ({ path: pathOf(at), ...rest }));
        const paths = pluck?.map(pathOf);
        const listing = createListing(outputs, resultLimit);
        const seen: { line: number }[] = [];
        const bad: number[] = [];
        const found = [...notes];
        for await (const candidate of candidatesIn(artifact, pathOf(path), signal)) {
          if ("bad" in candidate) {
            bad.push(candidate.bad);
            continue;
          }
          const { bytes, span, place, line } = candidate;
          if (!meets(bytes, span, conditions)) continue;
          if (listing.count === limit) {
            found.unshift(`result-limited: the first ${limit}; there are more`);
            break;
          }
          const value = paths === undefined ? onOneLine(bytes, span) : plucked(bytes, span, paths);
          await listing.add(shownText(artifact, `${place}: ${value}`));
          if (listing.isShown && line !== undefined) seen.push({ line });
        }
        if (listing.count === 0) await listing.add("Nothing meets these conditions.");
        if (bad.length > 0) found.push(badLines(bad));
        return textResult(await listing.end(found), shownOf(artifact, seen));
      }),
  });
}

async function* candidatesIn(artifact: Artifact, path: JsonPath, signal: AbortSignal): AsyncGenerator<Candidate> {
  if (asJson(artifact) === "json") {
    const { bytes, span } = placeIn(await documentIn(artifact.file, signal), path);
    yield* partsOf({ bytes, span }, path);
    return;
  }
  for await (const value of valuesIn(artifact, 1, signal)) {
    if ("bad" in value) yield { bad: value.line };
    else if (path.length === 0) yield { ...value, place: String(value.line) };
    else yield* partsIfAny(value, path);
  }
}

/** The parts of what stands at a path of each line; of some lines there may be none. */
function* partsIfAny(value: Value & { line: number }, path: JsonPath): Generator<Candidate> {
  try {
    for (const part of partsOf(placeIn(value, path), path)) {
      yield "bad" in part ? part : { ...part, place: `${value.line} ${part.place}`, line: value.line };
    }
  } catch (thrown) {
    if (!(thrown instanceof Failure) || (thrown.code !== "E_NOT_FOUND" && thrown.code !== "E_BAD_QUERY")) throw thrown;
  }
}

function* partsOf({ bytes, span }: Value, path: JsonPath): Generator<Candidate> {
  const type = typeAt(bytes, span);
  if (type === "array") {
    let index = 0;
    for (const item of itemsOf(bytes, span)) {
      yield { bytes, span: item, place: shownJsonPath([...path, index]) };
      index += 1;
    }
  } else if (type === "object") {
    for (const { key, value } of membersOf(bytes, span)) {
      yield { bytes, span: value, place: shownJsonPath([...path, key]) };
    }
  } else {
    throw new Failure("E_BAD_QUERY", `${shownJsonPath(path)} is a ${type}: it has no parts to choose from.`, {
      remedy: "Give the path of an array or object.",
    });
  }
}

function badLines(bad: readonly number[]): string {
  const named = bad.slice(0, maxNamed).join(", ");
  return `${bad.length} lines are no JSON: ${named}${bad.length > maxNamed ? ", …" : ""}`;
}
