import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import {
  createLedger,
  offline,
  openAsk,
  openFence,
  openLog,
  openWorkspace,
  policyGate,
  readOnlyPolicy,
  ripgrep,
  runTurn,
} from "@croft/harness";
import { call, say, scripted } from "@croft/harness/testing";
import { askAbout } from "../../examples/embed.ts";
import { offlineWithLua } from "../../examples/own-language.ts";
import { countWords } from "../../examples/own-tool.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "croft-example-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

it("a question is asked through the library alone", async () => {
  writeFileSync(join(folder, "greet.py"), "def greet(name):\n    return name\n\n\nprint(greet('you'))\n");
  const lines: string[] = [];
  const { status, answer } = await askAbout(folder, "Where is greet defined, and who calls it?", (line) =>
    lines.push(line),
  );
  expect(status).toBe("done");
  expect(answer).toContain("`greet` is defined at greet.py:1");
  expect(lines).toEqual(["call search", "call read_file", "verified greet.py:1", "verified greet.py:5"]);
});

it("the offline model reads a language it was told about, and calls it unknown without", async () => {
  writeFileSync(
    join(folder, "app.lua"),
    'local function greet(name)\n  return name\nend\n\n-- greet\nprint(greet("you"))\n',
  );
  const answers: string[] = [];
  for (const model of [offlineWithLua(), offline()]) {
    const session = openLog({ id: "test" });
    const asking = openAsk({ root: folder, model, gate: policyGate(), session, emit: () => {} });
    answers.push((await asking.ask("Where is greet defined, and who calls it?", new AbortController().signal)).answer);
    await asking.close();
    session.close();
  }
  expect(answers[0]).toContain("`greet` is defined at app.lua:1 (function). It is called on 1 line, in 1 file.");
  expect(answers[1]).toContain("I found no definition of `greet` in the files I may search.");
  expect(answers[1]).toContain("unknown to me");
});

it("a tool of one's own is offered beside those of an assembly, behind the same doors", async () => {
  writeFileSync(join(folder, "a.txt"), "one two  three\n");
  writeFileSync(join(folder, ".env"), "KEY=1\n");
  const session = openLog({ id: "test" });
  const offered: string[][] = [];
  const model = scripted([
    [
      call("count_words", { path: "a.txt" }),
      call("count_words", { path: ".env" }),
      call("read_file", { path: "a.txt" }),
    ],
    say("Done."),
  ]);
  const listening: typeof model = {
    ...model,
    respond(request, ...rest) {
      offered.push(request.tools.map(({ name }) => name));
      return model.respond(request, ...rest);
    },
  };
  const given = { root: folder, gate: policyGate(), session, emit: () => {} };
  const asking = openAsk({ ...given, model: listening, tools: [countWords] });
  const { status } = await asking.ask("Count.", new AbortController().signal);
  await asking.close();
  session.close();
  expect([status, offered[0]]).toEqual(["done", ["list_files", "read_file", "search", "count_words"]]);
  const results = session.messages.flatMap((message) =>
    message.role === "user" ? message.content.filter((block) => block.type === "tool_result") : [],
  );
  expect(results.map(({ isError, content }) => [isError, content[0]])).toEqual([
    [false, { type: "text", text: "a.txt has 3 words." }],
    [true, { type: "text", text: expect.stringContaining(".env") }],
    [false, { type: "text", text: "a.txt: lines 1-1 of 1\n1\tone two  three" }],
  ]);
  const twice = { ...countWords, name: "search" };
  expect(() => openAsk({ ...given, model, tools: [twice] })).toThrow(expect.objectContaining({ code: "E_TOOL_NAME" }));
});

it("a tool of one's own runs in the bare loop, behind the same doors", async () => {
  writeFileSync(join(folder, "a.txt"), "one two  three\n");
  writeFileSync(join(folder, ".env"), "KEY=1\n");
  const fence = openFence(folder, readOnlyPolicy());
  const session = openLog({ id: "test" });
  const outcome = await runTurn(
    "Count.",
    {
      model: scripted([[call("count_words", { path: "a.txt" }), call("count_words", { path: ".env" })], say("Done.")]),
      maxTokens: 1_000,
      system: [],
      tools: [countWords],
      workspace: openWorkspace({ fence, gate: policyGate(), search: ripgrep("") }),
      ledger: createLedger(),
      checks: [],
      lines: async () => undefined,
      session,
      root: fence.root,
      budget: { steps: 4, tokens: 10_000, ms: 10_000 },
      cost: () => 0,
      emit: () => {},
    },
    new AbortController().signal,
  );
  fence.close();
  session.close();
  expect(outcome.status).toBe("done");
  const results = session.messages.flatMap((message) =>
    message.role === "user" ? message.content.filter((block) => block.type === "tool_result") : [],
  );
  expect(results.map(({ isError, content }) => [isError, content[0]])).toEqual([
    [false, { type: "text", text: "a.txt has 3 words." }],
    [true, { type: "text", text: expect.stringContaining(".env") }],
  ]);
});
