/** A configuration file's text, checked: the settings, or every mistake with its line and column. */

import { createHash } from "node:crypto";
import type { z } from "zod";
import type { Config } from "./config.ts";
import { parseJsonc, type Document, type Path, type Position, type Problem } from "./jsonc.ts";
import { configSchema } from "./schema.ts";

export type ReadConfig = { config: Config; positionOf: (path: Path) => Position } | { problems: readonly Problem[] };

/** Mistakes of content are told together, but only once the text can be read at all. */
export function readConfig(text: string): ReadConfig {
  const parsed = parseJsonc(text);
  if ("problems" in parsed) return parsed;
  const { value, positionOf } = parsed.document;
  const checked = configSchema().safeParse(value);
  if (checked.success) return { config: checked.data, positionOf };
  const problems = checked.error.issues.flatMap((issue) => problemsOf(issue, positionOf));
  return { problems: problems.toSorted((a, b) => a.line - b.line || a.column - b.column) };
}

/** SHA-256, hex. */
export function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function problemsOf(issue: z.core.$ZodIssue, positionOf: Document["positionOf"]): Problem[] {
  const path = issue.path.filter((part) => typeof part !== "symbol");
  const name = path.join(".");
  switch (issue.code) {
    case "unrecognized_keys": {
      const where = name === "" ? "" : ` in ${name}`;
      return issue.keys.map((key) => ({
        ...positionOf([...path, key], "key"),
        message: `There is no setting ${JSON.stringify(key)}${where}.`,
      }));
    }
    case "invalid_key":
      return [{ ...positionOf(path, "key"), message: `${name} ${issue.issues[0]?.message ?? "is no name"}.` }];
    default: {
      const expected = "expected" in issue && (issue.expected === "object" || issue.expected === "record");
      const problem = expected ? "must be an object" : issue.message;
      return [{ ...positionOf(path), message: `${name === "" ? "The file" : name} ${problem}.` }];
    }
  }
}
