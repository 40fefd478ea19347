import { expect, test } from "vitest";
import { codeTools, runningTools } from "../../preset/code-tools.ts";
import type { Tool } from "../tool.ts";
import { applyPatch } from "./apply_patch.ts";
import { editFile } from "./edit_file.ts";
import { explore } from "./explore.ts";
import { listFiles } from "./list_files.ts";
import { readFile } from "./read_file.ts";
import { readOutput } from "./read_output.ts";
import { readProcess } from "./read_process.ts";
import { runCommand } from "./run_command.ts";
import { runShell } from "./run_shell.ts";
import schemas from "./schemas.json" with { type: "json" };
import { search } from "./search.ts";
import { startProcess } from "./start_process.ts";
import { stopProcess } from "./stop_process.ts";
import { todo } from "./todo.ts";
import { writeFile } from "./write_file.ts";
import { withStoredSchema } from "./stored-schema.ts";

const files: readonly Tool[] = [listFiles, readFile, search, editFile, writeFile, applyPatch];
const programs: readonly Tool[] = [runCommand, runShell, startProcess, readProcess, stopProcess];
const tools: readonly Tool[] = [...files, ...programs, readOutput, explore, todo];

test("the stored schemas are what the tools' parsers take", () => {
  expect(schemas).toEqual(Object.fromEntries(tools.map(({ name, schema }) => [name, schema])));
});

test("an assembly shows a model the stored schema, and the tool is the same otherwise", () => {
  const offered = [...codeTools, ...runningTools({ enclosed: true })];
  expect(offered.map(({ name, schema }) => [name, schema])).toEqual(
    [...files, ...programs].map(({ name, schema }) => [name, schema]),
  );
  expect(withStoredSchema(search)).toMatchObject({ description: search.description, effect: search.effect });
  expect(() => withStoredSchema(search).parse({ pattern: "" })).toThrow("pattern: must not be empty");
});

test("a tool without a stored schema is left as it is", () => {
  const own: Tool = { ...search, name: "own" };
  expect(withStoredSchema(own)).toBe(own);
});
