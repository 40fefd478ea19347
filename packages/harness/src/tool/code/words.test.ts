import { expect, test } from "vitest";
import { listFiles } from "./list_files.ts";
import { readFile } from "./read_file.ts";
import { search } from "./search.ts";

test("what a model reads about the three tools is short", () => {
  const words = [listFiles, readFile, search].map(({ name, description, schema }) => ({ name, description, schema }));
  // Of the 6 KB for the whole static part of a request, most is left for the prompt.
  expect(Buffer.byteLength(JSON.stringify(words))).toBeLessThan(3_000);
});

test("the schemas name every field, its type and its bounds", () => {
  expect(readFile.schema).toEqual({
    type: "object",
    properties: {
      path: { type: "string", description: "Relative to the project folder" },
      offset: { type: "integer", minimum: 1, maximum: 1_000_000_000, default: 1, description: "First line" },
      limit: { type: "integer", minimum: 1, maximum: 2_000, default: 400, description: "Lines at most" },
    },
    required: ["path"],
    additionalProperties: false,
  });
  expect(search.schema).toMatchObject({
    properties: {
      pattern: { type: "string", minLength: 1, maxLength: 4_000 },
      path: { type: "string" },
      glob: { type: "string" },
      literal: { type: "boolean" },
      ignore_case: { type: "boolean" },
      context: { type: "integer", minimum: 0, maximum: 10, default: 0 },
      limit: { type: "integer", minimum: 1, maximum: 1_000, default: 100 },
    },
    required: ["pattern"],
  });
});
