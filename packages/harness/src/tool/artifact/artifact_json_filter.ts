/** The tool that finds values of a JSON file. */

import { z } from "zod";
import type { Artifact } from "../../artifact/artifacts.ts";
import { documentIn, valuesIn, type LineValue, type Value } from "../../artifact/json/document.ts";
import { meets, type Condition } from "../../artifact/json/filter.ts";
import { findIn, jsonStep, jsonPathText, type JsonPath, type JsonStep } from "../../artifact/json/path.ts";
import { itemsOf, membersOf, stringAt, typeAt, type Span } from "../../artifact/json/scan.ts";
import { onOneLine, plucked } from "../../artifact/json/show.ts";
import { createListing } from "../../artifact/listing.ts";
import { Failure } from "../../error.ts";
import { textResult, type Tool } from "../tool.ts";
import { text } from "../code/input.ts";
import description from "./artifact_json_filter.md";
import { artifactId, artifactTool, atLeastOne, strict } from "./define.ts";
import { shownOf, using, type ArtifactToolParts } from "./parts.ts";
import { asJson, isShown, pathOf, placeIn, safeText } from "./json-value.ts";

/** Lines that are no JSON are named up to so many. */
const maxNamed = 10;
/** A value is gone through once for each condition and path. */
const maxPaths = 32;
const operators = ["eq", "ne", "lt", "lte", "gt", "gte", "contains", "exists", "absent"] as const;

const tooMany = `must have at most ${maxPaths}`;

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
  where: z.array(condition, "must be a list of conditions").max(maxPaths, tooMany).default([]),
  pluck: z.array(text(), "must be a list of paths").min(1, "must not be empty").max(maxPaths, tooMany).optional(),
  limit: atLeastOne(),
});

/** A value, the line it stands on, and where in what a path leads to; or a line that is none. */
type Candidate = (Value & Place) | { readonly line: number; readonly bad: string };
type Place = { readonly line?: number | undefined; readonly step?: JsonStep | undefined };

/** Throws as `using`, `documentIn`, `placeIn`, E_BAD_QUERY. */
export function artifactJsonFilter(parts: ArtifactToolParts): Tool {
  return artifactTool({
    name: "artifact_json_filter",
    description,
    input,
    effect: "read",
    run: ({ artifact_id: id, path, where, pluck, limit }, context) =>
      using(parts, id, context, async ({ artifact, notes }) => {
        const { outputs, resultLimit, signal } = context;
        const listing = createListing(outputs, resultLimit);
        const seen: { line: number }[] = [];
        const bad = createBadLines();
        const found = [...notes];
        const at = pathOf(path);
        const { meetsAll, shown } = chosenBy({ where, pluck }, artifact, at);
        search: for await (const batch of candidatesIn(artifact, at, signal)) {
          for (const candidate of batch) {
            signal.throwIfAborted();
            if ("bad" in candidate) {
              bad.add(candidate);
              continue;
            }
            if (!meetsAll(candidate)) continue;
            if (listing.count === limit) {
              found.unshift(`result-limited: the first ${limit}; there are more`);
              break search;
            }
            const { line } = candidate;
            await listing.add(safeText(artifact, `${placeOf(candidate, at)}: ${shown(candidate)}`));
            if (listing.isShown && line !== undefined) seen.push({ line });
          }
        }
        if (listing.count === 0) await listing.add("Nothing meets these conditions.");
        return textResult(await listing.end([...found, ...bad.told()]), shownOf(artifact, seen));
      }),
  });
}

type Chosen = Pick<z.output<typeof input>, "where" | "pluck">;

/** Which of the values at a path are meant, and what of them is shown. Throws E_BAD_QUERY. */
function chosenBy(
  { where, pluck }: Chosen,
  artifact: Artifact,
  at: JsonPath,
): { meetsAll: (value: Value & Place) => boolean; shown: (value: Value) => string } {
  const conditions = where.map(({ path, ...rest }): Condition => ({ path: pathOf(path), ...rest }));
  const paths = pluck?.map(pathOf);
  return {
    meetsAll: ({ bytes, span, step }) =>
      meets(bytes, span, conditions, (path, text) =>
        isShown(artifact, [...at, ...(step === undefined ? [] : [step]), ...path], text),
      ),
    shown: ({ bytes, span }) => (paths === undefined ? onOneLine(bytes, span) : plucked(bytes, span, paths)),
  };
}

/** In order, as many at a time as are read at a time. */
async function* candidatesIn(
  artifact: Artifact,
  path: JsonPath,
  signal: AbortSignal,
): AsyncGenerator<Iterable<Candidate>> {
  if (asJson(artifact) === "json") {
    yield partsOf(placeIn(await documentIn(artifact.file, signal), path), path);
    return;
  }
  for await (const batch of valuesIn(artifact, 1, signal)) yield candidatesOf(batch, path);
}

function* candidatesOf(batch: Iterable<LineValue>, path: JsonPath): Generator<Candidate> {
  for (const value of batch) {
    if ("bad" in value || path.length === 0) yield value;
    else yield* partsIfAny(value, path);
  }
}

/** The parts of what stands at a path of a line; of some lines there are none. */
function* partsIfAny({ line, bytes, span }: Value & { line: number }, path: JsonPath): Generator<Candidate> {
  const found = findIn(bytes, span, path);
  if (found === undefined || !hasParts(bytes, found)) return;
  for (const part of partsOf({ bytes, span: found }, path)) yield { ...part, line };
}

function* partsOf({ bytes, span }: Value, path: JsonPath): Generator<Value & Place> {
  const type = typeAt(bytes, span);
  if (!hasParts(bytes, span)) {
    throw new Failure("E_BAD_QUERY", `${jsonPathText(path)} is a ${type}: it has no parts to choose from.`, {
      remedy: "Give the path of an array or object.",
    });
  }
  if (type === "array") {
    let index = 0;
    for (const item of itemsOf(bytes, span)) {
      yield { bytes, span: item, step: jsonStep(index) };
      index += 1;
    }
  } else {
    for (const { key, value } of membersOf(bytes, span)) {
      yield { bytes, span: value, step: jsonStep(stringAt(bytes, key)) };
    }
  }
}

function hasParts(bytes: Buffer, span: Span): boolean {
  const type = typeAt(bytes, span);
  return type === "array" || type === "object";
}

/** `users[0]`, `12`, `12 users[0]`. */
function placeOf({ line, step }: Place, path: JsonPath): string {
  const parts = [...(line === undefined ? [] : [line]), ...(step === undefined ? [] : [jsonPathText([...path, step])])];
  return parts.join(" ");
}

type BadLines = { add(line: { readonly line: number; readonly bad: string }): void; told(): string[] };

/** The lines that are no value, by what they are instead; of each kind the first are named. */
function createBadLines(): BadLines {
  const kinds = new Map<string, { count: number; first: number[] }>();
  return {
    add({ line, bad }) {
      const kind = kinds.get(bad) ?? { count: 0, first: [] };
      kinds.set(bad, kind);
      kind.count += 1;
      if (kind.count <= maxNamed) kind.first.push(line);
    },
    told: () =>
      Array.from(kinds, ([what, { count, first }]) => {
        const more = count > first.length ? ", …" : "";
        return `${count} lines are ${what}: ${first.join(", ")}${more}`;
      }),
  };
}
