import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { readUserMemory } from "./memory.ts";

let home = "";
let file = "";
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "croft-home-"));
  mkdirSync(join(home, ".config", "croft"), { recursive: true });
  file = join(home, ".config", "croft", "AGENTS.md");
  onTestFinished(() => rmSync(home, { recursive: true }));
});

const read = (): ReturnType<typeof readUserMemory> => readUserMemory({ configHome: join(home, ".config"), home });

test("the user's own file is known by its path from home", () => {
  writeFileSync(file, "\ufeffTabs.\n");
  expect(read()).toEqual({ path: "~/.config/croft/AGENTS.md", text: "Tabs.\n" });
  expect(readUserMemory({ configHome: join(home, ".config"), home: "/other" })).toMatchObject({ path: file });
});

test("there need be none", () => {
  expect([read(), readUserMemory({ configHome: undefined, home })]).toEqual([undefined, undefined]);
});

test("one that cannot be read is not passed over in silence", () => {
  writeFileSync(file, Buffer.of(0x66, 0xff));
  expect(read()).toEqual({ reason: expect.stringContaining("not valid") });
  writeFileSync(file, "x".repeat(1_048_577));
  expect(read()).toEqual({ reason: `${file} has more than 1048576 bytes` });
  rmSync(file);
  mkdirSync(file);
  expect(read()).toEqual({ reason: `${file} is no file` });
});
