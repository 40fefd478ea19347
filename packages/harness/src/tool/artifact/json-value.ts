/** What the tools for JSON share: the value a call means, and showing it. */

import type { Artifact } from "../../artifact/artifacts.ts";
import { documentIn, firstValueIn, type Value } from "../../artifact/json/document.ts";
import { findIn, parseJsonPath, reachIn, jsonPathText, type JsonPath } from "../../artifact/json/path.ts";
import { Failure } from "../../error.ts";

/** Throws E_WRONG_KIND for what was opened as something else. */
export function asJson({ kind, id }: Artifact): "json" | "json-lines" {
  if (kind === "json" || kind === "json-lines") return kind;
  throw new Failure("E_WRONG_KIND", `${id} was not opened as JSON.`, {
    remedy: "Open it with open_json_file, and use the id that comes back.",
  });
}

/** The document, or the value on a line. Throws E_WRONG_KIND, E_BAD_QUERY, E_RANGE, and as `documentIn`. */
export async function valueIn(artifact: Artifact, line: number | undefined, signal: AbortSignal): Promise<Value> {
  if (asJson(artifact) === "json") return await documentIn(artifact.file, signal);
  if (line === undefined) {
    throw new Failure("E_BAD_QUERY", `${artifact.name} is JSON Lines: there is a value on each line.`, {
      remedy: "Say which line.",
    });
  }
  const value = await firstValueIn(artifact, line, signal);
  if (value?.line !== line) {
    throw new Failure("E_RANGE", `${artifact.name} has no value on line ${line}.`, { remedy: "Use another line." });
  }
  if ("bad" in value) {
    throw new Failure("E_BAD_JSON", `Line ${line} of ${artifact.name} is ${value.bad}.`, {
      remedy: "Look at it with artifact_cat, or use another line.",
    });
  }
  return value;
}

/** Throws E_NOT_FOUND, which says how far the path leads. */
export function placeIn({ bytes, span }: Value, path: JsonPath): Value {
  const found = findIn(bytes, span, path);
  if (found !== undefined) return { bytes, span: found };
  const reached = reachIn(bytes, span, path);
  const parent = jsonPathText(path.slice(0, reached));
  throw new Failure("E_NOT_FOUND", `There is no ${jsonPathText(path)}: ${parent} has no such part.`, {
    remedy: `Ask for the keys of ${parent}.`,
  });
}

/** The path of a call, the whole where it names none. Throws E_BAD_QUERY. */
export function pathOf(text: string | undefined): JsonPath {
  return text === undefined ? [] : parseJsonPath(text);
}

/** With what must not be shown hidden. */
export function safeText({ file }: Artifact, text: string): string {
  return file.hide?.(text) ?? text;
}

/** A value the same way: that it is a secret may be told by nothing but its name. */
export function safeValue(artifact: Artifact, path: JsonPath, value: string): string {
  const name = `${JSON.stringify(path.at(-1)?.name ?? "")}: `;
  const shown = safeText(artifact, name + value);
  return shown.startsWith(name) ? shown.slice(name.length) : shown;
}

/** Whether a value is shown as it is. */
export function isShown(artifact: Artifact, path: JsonPath, value: string): boolean {
  return safeValue(artifact, path, value) === value;
}
