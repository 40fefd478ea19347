import { describe, expect, test } from "vitest";
import type { Message, ToolUseBlock } from "../../message.ts";
import { textOf, toolUsesOf } from "../../message.ts";
import type { ModelRequest } from "../model.ts";
import { offline } from "./offline.ts";
import { project, talk } from "../../preset/offline-talk.testing.ts";
import { needsModel } from "./writing.ts";

describe("answers", () => {
  test("where a name is defined and who calls it", async () => {
    const { ask, calls, unverified, statuses } = talk(project);
    expect(await ask("Where is `runTurn` defined, and who calls it?")).toBe(
      `\`runTurn\` is defined at src/loop.ts:4 (function). It is called on 2 lines and otherwise used on 1, in 2 files.

## Definitions

- src/loop.ts:4 (function): export async function runTurn(task: string): Promise<void> {

## Calls (2)

- src/main.ts:4 in Agent.start (src/main.ts:3): await runTurn("x");
- src/main.test.ts:3: await runTurn("runTurn");

## Other uses (1)

- src/main.ts:5 in Agent.start (src/main.ts:3): this.later(runTurn);

## Outside of code I can read (1)

- README.md:1: Call runTurn to run a turn.

Not listed: 2 imports, 1 comment on lines of their own.`,
    );
    expect(calls).toEqual([
      String.raw`search {"pattern":"\\brunTurn\\b","limit":1000}`,
      'read_file {"path":"src/loop.ts","offset":1,"limit":44}',
      'read_file {"path":"src/main.ts","offset":1,"limit":45}',
      'read_file {"path":"src/main.test.ts","offset":1,"limit":43}',
    ]);
    expect({ unverified, statuses }).toEqual({ unverified: [], statuses: ["done"] });
  });

  test("where it is defined alone, reading only what may define it", async () => {
    const { ask, calls } = talk(project);
    expect(await ask("where is runTurn defined?")).toBe(
      `\`runTurn\` is defined at src/loop.ts:4 (function).

## Definitions

- src/loop.ts:4 (function): export async function runTurn(task: string): Promise<void> {

Not listed: 2 imports, 1 comment on lines of their own.`,
    );
    expect(calls.slice(1)).toEqual(['read_file {"path":"src/loop.ts","offset":1,"limit":44}']);
  });

  test("a follow-up, which takes its name from the question before", async () => {
    const { ask } = talk(project);
    await ask("Where is `check` defined?");
    expect(await ask("And who calls it?")).toBe(
      `\`check\` is called on 1 line, in 1 file.

## Calls (1)

- src/loop.ts:5 in runTurn (src/loop.ts:4): await check(task);

Not listed: 1 import on lines of their own.`,
    );
  });

  test("a member of one class among several with the name", async () => {
    const { ask, unverified } = talk({
      "a.py": "class Cat:\n    def feed(self):\n        pass\n",
      "b.py": "class Dog:\n    def feed(self):\n        self.feed()\n",
    });
    expect(await ask("Where is `Dog.feed` defined, and who calls it?")).toBe(
      `\`feed\` is defined at b.py:2 (method of Dog). It is called on 1 line, in 1 file.

## Definitions

- b.py:2 (method of Dog): def feed(self):

## Calls (1)

- b.py:3 in Dog.feed (b.py:2): self.feed()

Uses are matched by name: those of another definition with the same name are among them.`,
    );
    expect(unverified).toEqual([]);
    expect(await ask("Where is `Cow.feed` defined?")).toBe(
      `\`feed\` is defined in 2 places, most likely meant: a.py:2 (method of Cat).

## Definitions

- a.py:2 (method of Cat): def feed(self):
- b.py:2 (method of Dog): def feed(self):

None of the definitions is known to belong to Cow.`,
    );
  });

  test("a text, with its capitals or without", async () => {
    const { ask } = talk(project);
    expect(await ask('Where does it say "a turn"?')).toBe(
      `The text "a turn" stands on 2 lines, first at README.md:1.

## Lines

- README.md:1: Call runTurn to run a turn.
- src/loop.ts:3: /** runTurn runs a turn. */`,
    );
    expect(await ask('Where does it say "RUNS A TURN"?')).toBe(
      'Only with other capitals, the text "RUNS A TURN" stands at src/loop.ts:3: /** runTurn runs a turn. */',
    );
    expect(await ask('Where does it say "nowhere at all"?')).toBe('No line I may search says "nowhere at all".');
  });

  test("what a folder and a file hold, and a file found by its name alone", async () => {
    const { ask, calls } = talk(project);
    expect(await ask("What is in src/?")).toBe(
      `src/ holds 0 folders and 4 files.

## Entries

- src/check.ts
- src/loop.ts
- src/main.test.ts
- src/main.ts`,
    );
    calls.length = 0;
    expect(await ask("what does main.ts export?")).toBe(
      `src/main.ts has 7 lines of JavaScript or TypeScript and defines 2 names outside of functions.

## Definitions

- src/main.ts:2 (class): class Agent {
- src/main.ts:3 (method of Agent): async start(): Promise<void> {`,
    );
    expect(calls).toEqual([
      'read_file {"path":"main.ts","offset":1,"limit":2000}',
      'list_files {"path":"main.ts","depth":1}',
      'list_files {"path":".","glob":"**/main.ts"}',
      'read_file {"path":"src/main.ts","offset":1,"limit":2000}',
    ]);
  });

  test("a file it may not read: says so, with the reason of the tool", async () => {
    const { ask, calls, statuses } = talk(project);
    const answer = await ask("What is the API key in .env?");
    expect(answer).toBe(
      'I could not read .env, so I cannot say. The tool\'s reason: ".env" is protected (environment files, which may hold secrets): it is never read in this mode.',
    );
    expect(calls).toEqual(['read_file {"path":".env","offset":1,"limit":2000}']);
    expect(statuses).toEqual(["done"]);
  });

  test("a file it may read: the lines with the words", async () => {
    const { ask } = talk({ "package.json": '{\n  "name": "a",\n  "version": "1.2"\n}\n' });
    expect(await ask("What is the version in package.json?")).toBe(
      `package.json mentions version at package.json:3; I can only show the lines, not judge them.

## Lines

- package.json:3: "version": "1.2"`,
    );
    expect(await ask("What is the licence in package.json?")).toBe("package.json does not mention licence.");
  });

  test("anything else: what it cannot do, how to get a model, and where the names stand", async () => {
    const { ask } = talk(project);
    expect(await ask("hello")).toBe(`I cannot answer that. ${needsModel}`);
    expect((await ask("What does `check` do?")).split("\n\n").slice(0, 3)).toEqual([
      `I cannot answer that. ${needsModel}`,
      "What I can say:",
      "`check` is defined at src/check.ts:1 (function). It is called on 1 line, in 1 file.",
    ]);
  });
});

describe("hostile input", () => {
  test("a name that is nowhere", async () => {
    const { ask } = talk(project);
    expect(await ask("Where is `nothing` defined, and who calls it?")).toBe(
      "`nothing` does not occur in the files I may search.",
    );
  });

  test("variables within functions are told apart from what is defined outside of them", async () => {
    const { ask, unverified } = talk({
      "a.ts": "export const size = 1;\n",
      "b.ts": "function grow(): number {\n  const size = 2;\n  return size;\n}\n",
    });
    expect(await ask("Where is `size` defined?")).toBe(
      `\`size\` is defined at a.ts:1 (variable).

## Definitions

- a.ts:1 (variable): export const size = 1;

## Local variables (1)

- b.ts:2 in grow (b.ts:1): const size = 2;`,
    );
    expect(unverified).toEqual([]);
  });

  test("names with characters that mean something to a regular expression", async () => {
    const { ask, unverified } = talk({ "a.js": "const $el = 1;\nuse($el);\nuse(x$el, $elx);\n" });
    expect(await ask("Where is `$el` defined, and who calls it?")).toBe(
      `\`$el\` is defined at a.js:1 (variable). It is never called, but used on 1 line, in 1 file.

## Definitions

- a.js:1 (variable): const $el = 1;

## Other uses (1)

- a.js:2: use($el);`,
    );
    expect(unverified).toEqual([]);
  });

  test("a text with the words of a pattern", async () => {
    const { ask } = talk({ "a.txt": "x\na.*(b\n" });
    expect(await ask('Where does it say "a.*(b"?')).toBe('The text "a.*(b" stands at a.txt:2: a.*(b');
  });

  test("more hits than a search gives: the definition is found all the same, the list is cut and says so", async () => {
    const calls = Array.from({ length: 1200 }, (_, i) => `many(${i});`).join("\n");
    const { ask, unverified, statuses } = talk({ "a.ts": calls, "z.ts": "export function many(a: number): void {}\n" });
    const answer = await ask("Where is `many` defined, and who calls it?");
    const lines = answer.split("\n");
    expect(lines[0]).toBe("`many` is defined at z.ts:1 (function). It is called on 1000 lines, in 1 file.");
    expect(lines.filter((line) => line.startsWith("- a.ts:"))).toHaveLength(100);
    expect(lines.slice(-3)).toEqual([
      '900 more lines are not listed: a.ts (900). Name a folder in the question to narrow it: "who calls it in src/".',
      "",
      "Stopped at 1000 matches; name a folder in the question to narrow it.",
    ]);
    expect({ unverified, statuses }).toEqual({ unverified: [], statuses: ["done"] });
  });

  test("a line too long to be sent, code that reads like a citation, and paths with odd characters", async () => {
    const { ask, unverified } = talk({
      "min.js": `${"x".repeat(500)};far();${"y".repeat(5000)}\n`,
      "[id]/(a) b.ts": 'far("gone.ts:99", `tick`); // gone.ts#L7\n',
      "it's.ts": "far();\n",
    });
    expect(await ask("who calls far?")).toBe(
      `\`far\` is called on 2 lines, in 2 files.

## Calls (2)

- \`[id]/(a) b.ts:1\`: \`\`far("gone.ts: 99", \`tick\`); // gone.ts# L7\`\`
- \`it's.ts:1\`: far();

## Outside of code I can read (1)

- min.js:1: ${"x".repeat(119)}…`,
    );
    expect(unverified).toEqual([]);
  });

  test("lines are quoted as they stand, but for what would cite another file", async () => {
    const quoted = [
      "see 16:19:00 [#10241] a[:2] {x:1} http://localhost:80 https://a.com/b:3",
      "see `other` and ``x``: `gone.ts`:3",
      "see a/b:12, gone.ts:9, Makefile:7 and x.ts#L3",
      "`see`",
    ];
    const { ask, unverified } = talk({ "a.txt": quoted.join("\n") });
    expect((await ask('Where does it say "see"?')).split("\n").slice(4)).toEqual([
      "- a.txt:1: see 16:19:00 [#10241] a[:2] {x:1} http://localhost:80 https://a.com/b:3",
      "- a.txt:2: ```see `other` and ``x``: `gone.ts`:3```",
      "- a.txt:3: see a/b: 12, gone.ts: 9, Makefile: 7 and x.ts# L3",
      "- a.txt:4: `` `see` ``",
    ]);
    expect(unverified).toEqual([]);
  });

  test("a file too large for the tool is judged by its lines", async () => {
    const { ask, unverified } = talk({ "big.ts": `export function big(): void {}\n${"// x\n".repeat(300_000)}` });
    expect(await ask("Where is `big` defined, and who calls it?")).toBe(
      `\`big\` is defined at big.ts:1 (function). It is not used anywhere in the code I may search.

## Definitions

- big.ts:1 (function): export function big(): void {}

1 of 1 files were not read to their last hit; those lines were judged by themselves.`,
    );
    expect(unverified).toEqual([]);
  });

  test("a file longer than one reading is read through", async () => {
    const { ask, calls } = talk({ "long.ts": `${"// x\n".repeat(2500)}function outer() {\n  inner();\n}\n` });
    expect(await ask("who calls inner?")).toBe(
      `\`inner\` is called on 1 line, in 1 file.

## Calls (1)

- long.ts:2502 in outer (long.ts:2501): inner();`,
    );
    expect(calls.slice(1)).toEqual([
      'read_file {"path":"long.ts","offset":1,"limit":2000}',
      'read_file {"path":"long.ts","offset":2001,"limit":542}',
    ]);
  });
});

describe("by itself", () => {
  function request(question: string, tools: readonly string[], more: readonly Message[] = []): ModelRequest {
    const asked: Message = { role: "user", content: [{ type: "text", text: question }] };
    const specs = tools.map((name) => ({ name, description: "", schema: {} }));
    return { system: [], tools: specs, messages: [asked, ...more], maxTokens: 1000 };
  }

  async function reply(asked: ModelRequest, signal: AbortSignal = new AbortController().signal) {
    const deltas: unknown[] = [];
    return { ...(await offline().respond(asked, (delta) => deltas.push(delta), signal)), deltas };
  }

  function answered(uses: readonly ToolUseBlock[], text: string, isError: boolean): Message {
    return {
      role: "user",
      content: uses.map(({ id }) => ({
        type: "tool_result" as const,
        toolUseId: id,
        content: [{ type: "text" as const, text }],
        isError,
      })),
    };
  }

  test("says which tool it lacks", async () => {
    const { message, stop } = await reply(request("who calls open?", ["read_file"]));
    expect([textOf(message), stop]).toEqual([
      "I cannot answer that here: it takes the tool search, which I was not given.",
      "end_turn",
    ]);
    expect(textOf((await reply(request("What is the key in .env?", ["search"]))).message)).toBe(
      "I cannot answer that here: it takes the tool read_file, which I was not given.",
    );
  });

  test("judges by lines where it cannot read, and repeats a tool's error", async () => {
    const asked = request("who calls open?", ["search"]);
    const { message, stop } = await reply(asked);
    const uses = toolUsesOf(message);
    expect({ uses, stop }).toEqual({
      uses: [
        { type: "tool_use", id: "offline_1", name: "search", input: { pattern: String.raw`\bopen\b`, limit: 1000 } },
      ],
      stop: "tool_use",
    });
    const found = request("who calls open?", ["search"], [message, answered(uses, "a.ts:3:   open(1);", false)]);
    expect(textOf((await reply(found)).message)).toBe(
      `\`open\` is called on 1 line, in 1 file.

## Calls (1)

- a.ts:3: open(1);

No \`read_file\` tool here: every line was judged by itself.`,
    );
    const failed = request("who calls open?", ["search"], [message, answered(uses, "ripgrep is missing.", true)]);
    expect(textOf((await reply(failed)).message)).toBe("I could not search for `open`: ripgrep is missing.");
  });

  test("takes a check that objects, and a remark of the loop, for no question", async () => {
    const objection =
      "These citations in your answer do not hold:\n\n- a.ts:3: no such file\n\nSay the whole answer again.";
    const first = await reply(request("hello", []));
    const again = await reply(
      request("hello", [], [first.message, { role: "user", content: [{ type: "text", text: objection }] }]),
    );
    expect(again.message).toEqual(first.message);
  });

  test("is a pure function of the request, spends nothing, streams its text, and stops when told to", async () => {
    const asked = request("hello", []);
    const before = structuredClone(asked);
    const one = await reply(asked);
    expect(await reply(asked)).toEqual(one);
    expect(asked).toEqual(before);
    expect(one).toEqual({
      message: {
        role: "assistant",
        content: [{ type: "text", text: `I cannot answer that. ${needsModel}` }],
        origin: { provider: "", model: "offline" },
      },
      usage: { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 },
      stop: "end_turn",
      badInputs: new Map(),
      deltas: [{ type: "text", text: `I cannot answer that. ${needsModel}` }],
    });
    expect((await reply(asked, AbortSignal.abort())).stop).toBe("aborted");
  });
});
