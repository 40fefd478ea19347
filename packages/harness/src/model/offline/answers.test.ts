import { expect, test } from "vitest";
import { project, talk } from "../../preset/offline-talk.testing.ts";

test("a part of a file, a folder and a path with blanks, as they are attached", async () => {
  const { ask, calls, unverified } = talk({ ...project, "a file.txt": "one\ntwo\n" });
  expect(await ask("What is in @src/loop.ts:4-5?")).toBe(
    `src/loop.ts has 6 lines; these are lines 4 to 5.

## Lines

- src/loop.ts:4: export async function runTurn(task: string): Promise<void> {
- src/loop.ts:5: await check(task);`,
  );
  expect((await ask("Explain @check.ts:1")).split("\n\n").slice(1)).toEqual([
    "What I can say:",
    "src/check.ts has 1 line; this is line 1.",
    "## Lines",
    "- src/check.ts:1: export function check(task: string): void {}",
  ]);
  expect((await ask("What is in @src/?")).split("\n", 1)).toEqual(["src/ holds 0 folders and 4 files."]);
  expect(await ask('What is in @"a file.txt"?')).toBe(
    `a file.txt has 2 lines; it is of a type I do not read as code.

## It begins

- \`a file.txt:1\`: one
- \`a file.txt:2\`: two`,
  );
  expect(await ask("What is in src/loop.ts:40-50?")).toBe(
    "I could not open src/loop.ts: src/loop.ts has only 6 lines.",
  );
  expect(unverified).toEqual([]);
  expect(calls[0]).toBe('read_file {"path":"src/loop.ts","offset":4,"limit":2}');
});

test("the files of one kind, and files and folders by a part of their name", async () => {
  const { ask } = talk({
    "cmd/a.go": "",
    "cmd/deep/b.go": "",
    "cmd/c.txt": "",
    "tests/run.py": "",
    "src/latest.ts": "",
    "src/a.test.ts": "",
    "docs/readme.md": "",
    "src/parser.ts": "function split() {}\n",
  });
  expect(await ask("List all go files in cmd")).toBe(
    "cmd holds 2 go files, folders below included.\n\n## Files\n\n- cmd/a.go\n- cmd/deep/b.go",
  );
  expect(await ask("Where are the tests?")).toBe(
    "1 folder and 1 file have that name or a part of it.\n\n## Entries\n\n- tests/\n- src/a.test.ts",
  );
  expect(await ask("Where is the README?")).toBe("docs/readme.md is the one place of that name.");
  expect(await ask("Where is the split?")).toBe(
    'No file or folder I may list is named "split".\n\n`split` is defined at src/parser.ts:1 (function).\n\n## Definitions\n\n- src/parser.ts:1 (function): function split() {}',
  );
  expect(await ask("Where is the weather?")).toBe(
    'No file or folder I may list is named "weather".\n\n`weather` does not occur in the files I may search.',
  );
});

test("where there is no definition: what there is instead", async () => {
  const { ask, unverified } = talk({
    "redis.lua": "local function bump() end\nbump()\n",
    "a.ts":
      'import { gone } from "gone-package";\ngone();\n// TODO: go on\nfail("E_NO_KEY");\nif (x.code === "E_NO_KEY") stop();\n',
  });
  expect(await ask("Where is `bump` defined?"))
    .toBe(`I found no definition of \`bump\` in the files I may search. The language of 1 file with it is unknown to me: one may be there.

## Outside of code I can read (2)

- redis.lua:1: local function bump() end
- redis.lua:2: bump()`);
  expect(await ask("Where is TODO defined?")).toBe(`I found no definition of \`TODO\` in the files I may search.

## In comments and strings (1)

- a.ts:3: // TODO: go on`);
  expect(await ask("Where is E_NO_KEY defined, and who uses it?"))
    .toBe(`I found no definition of \`E_NO_KEY\` in the files I may search. It is not used as a name in the code I may search, but stands in comments and strings on 2 lines.

## In comments and strings (2)

- a.ts:4: fail("E_NO_KEY");
- a.ts:5: if (x.code === "E_NO_KEY") stop();`);
  expect(await ask("Where is `gone` defined?")).toBe(`I found no definition of \`gone\` in the files I may search.

## Calls (1)

- a.ts:2: gone();

## Imports (1)

- a.ts:1: import { gone } from "gone-package";`);
  expect(unverified).toEqual([]);
});

test("a text that looks like a file", async () => {
  const { ask } = talk({ "a.py": 'open("robots.txt")\n' });
  expect(await ask('where does it say "robots.txt"?')).toBe(
    'The text "robots.txt" stands at a.py:1: open("robots.txt")',
  );
  expect(await ask("Where does the text 'robots.txt' appear?")).toBe(
    'The text "robots.txt" stands at a.py:1: open("robots.txt")',
  );
});

test("who imports a name, or a module", async () => {
  const { ask } = talk(project);
  expect(await ask("Where is runTurn imported?")).toBe(`\`runTurn\` is imported on 2 lines, in 2 files.

## Imports (2)

- src/main.ts:1: import { runTurn } from "./loop.ts";
- src/main.test.ts:1: import { runTurn } from "./loop.ts";

Not listed: 1 comment on lines of their own.`);
  expect(await ask("Which files import `loop`?")).toBe(`\`loop\` is imported on 2 lines, in 2 files.

## Imports (2)

- src/main.ts:1: import { runTurn } from "./loop.ts";
- src/main.test.ts:1: import { runTurn } from "./loop.ts";`);
  expect(await ask("Who imports `task`?")).toBe("I found no import of `task` in the code I may search.");
});

test("a receiver or a kind that is named comes first", async () => {
  const { ask } = talk({
    "a.go": "package a\n\nfunc (s *Site) Build() error {\n\treturn nil\n}\n\ntype Page struct {\n}\n",
    "b.go": "package b\n\nfunc (h *HugoSites) Build(c Cfg) error {\n\treturn nil\n}\n\ntype Page interface {\n}\n",
    "0.go": "package c\n\nfunc Page() {\n}\n",
  });
  const first = async (question: string) => (await ask(question)).split("\n", 1)[0];
  expect(await first("Where is func (h *HugoSites) Build defined?")).toBe(
    "`Build` is defined at b.go:3 (method of HugoSites).",
  );
  expect(await first("Where is `func (h *HugoSites) Build(c Cfg)` defined?")).toBe(
    "`Build` is defined at b.go:3 (method of HugoSites).",
  );
  expect(await first("Where is the interface Page?")).toBe(
    "`Page` is defined in 3 places, most likely meant: b.go:7 (interface).",
  );
  expect(await first("Where is the Page function defined?")).toBe(
    "`Page` is defined in 3 places, most likely meant: 0.go:3 (function).",
  );
  expect(await first("Where is the type Page?")).toBe(
    "`Page` is defined in 3 places, most likely meant: a.go:7 (struct).",
  );
});

test("what it passes over is said", async () => {
  const { ask } = talk(project);
  const last = async (question: string) => (await ask(question)).split("\n\n").at(-1);
  expect(await last("Where is `check` defined and who creates it / implements it / extends it?")).toBe(
    'I left out this part of the question: "who creates it", "implements it", "extends it".',
  );
  expect(await last("who calls runTurn outside of tests?")).toBe(
    'I left out this part of the question: "outside of tests".',
  );
  expect(await last("What is in src/? And how does it work?")).toBe(
    'I left out this part of the question: "And how does it work".',
  );
  expect(await last("What is in src/check.ts:1? And @../secret?")).toBe(
    'I left out this part of the question: "../secret".',
  );
  expect(await last("Who calls check? Also, which class is it in?")).toBe(
    'I left out this part of the question: "Also, which class is it in".',
  );
  expect(await last("Where are `a`, `b`, `c` and `check` defined?")).toBe(
    'I left out this part of the question: "check".',
  );
  expect(await last("Where is the check of citations handled?")).toBe(
    'I left out this part of the question: "citations handled".',
  );
  expect(await last("Where is check defined here?")).not.toMatch(/left out/);
  expect(await last("list all big files in src")).toBe('I left out this part of the question: "big files".');
});
