import { readFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished, expect, test } from "vitest";
import type { Event } from "../event.ts";
import { codeGate } from "../gate/code.ts";
import { anthropic } from "../model/anthropic.ts";
import { openLog } from "../session/log.ts";
import { startMessagesServer, type MessagesServer } from "../testing/messages-server/messages-server.ts";
import { call, reply, say, type ServerScript } from "../testing/messages-server/script.ts";
import { plantTree } from "../workspace/tree.testing.ts";
import { openUndo } from "../workspace/snapshot/undo.ts";
import { openCode, type CodeOptions } from "./code.ts";
import { codeTools, openCodeTools } from "./code-tools.ts";

const never = new AbortController().signal;
const files = { "a.ts": "export const a = 1;\n", "b.ts": "export const b = 1;\n" };

type Rig = {
  root: string;
  server: MessagesServer;
  events: Event[];
  run: (task: string) => Promise<{ status: string }>;
};

async function rig(script: ServerScript, more: (root: string) => Partial<CodeOptions> = () => ({})): Promise<Rig> {
  const tree = plantTree(files);
  onTestFinished(tree.remove);
  const server = await startMessagesServer({ script });
  onTestFinished(() => server.close());
  const events: Event[] = [];
  const coding = await openCode({
    root: tree.root,
    gate: codeGate({ yes: true }),
    model: anthropic({ model: "claude-opus-5-5", apiKey: "test-key", baseUrl: server.url }),
    session: openLog({ id: "test" }),
    emit: (event) => events.push(event),
    ...more(tree.root),
  });
  onTestFinished(() => coding.close());
  return { root: tree.root, server, events, run: (task) => coding.run(task, never) };
}

test("the static part of a request, system prompt and tools, is 12 KB at most; its limits are those of coding", async () => {
  const { run, server, events } = await rig([say("Done.")]);
  await run("Nothing.");
  const { system, tools, max_tokens } = server.requests[0]?.body ?? {};
  expect([system?.length, tools?.map(({ name }) => name), max_tokens]).toEqual([
    1,
    ["list_files", "read_file", "search", "edit_file", "write_file", "apply_patch", "explore", "todo"],
    64_000,
  ]);
  expect(Buffer.byteLength(JSON.stringify({ system, tools }))).toBeLessThanOrEqual(12 * 1024);
  expect(events[0]).toMatchObject({ setup: { budget: { steps: 50, tokens: 5_000_000, ms: 3_600_000 } } });
});

test("what an answer cites is checked and told, and nothing is sent back for it", async () => {
  const { run, events, server } = await rig([say("See a.ts:9.")]);
  expect((await run("Nothing.")).status).toBe("done");
  expect(server.requests).toHaveLength(1);
  expect(events.filter(({ type }) => type === "citation" || type === "check")).toEqual([
    { type: "citation", ref: "a.ts:9", state: "broken", reason: "the file has only 1 line" },
    { type: "check", name: "citations", result: { pass: true } },
  ]);
});

test("five dollars are the ceiling where the model has a price, and another one can be asked for", async () => {
  const dear = reply(say("Done."), { usage: { input: 1_500_000, output: 0 } });
  const { run } = await rig([dear, say("Never asked.")]);
  expect([(await run("One.")).status, (await run("Two.")).status]).toEqual(["done", "dollar_budget"]);
  const more = await rig([dear, say("Asked.")], () => ({ budget: { dollars: 100 } }));
  expect([(await more.run("One.")).status, (await more.run("Two.")).status]).toEqual(["done", "done"]);
  const local = await startMessagesServer({ script: [say("Done.")], surface: "compatible", models: ["local"] });
  onTestFinished(() => local.close());
  const model = anthropic({ model: "local", apiKey: "test-key", baseUrl: local.url });
  const free = await rig([], () => ({ model }));
  expect((await free.run("One.")).status).toBe("done");
});

test("each turn is one that undo takes back, the last one first", async () => {
  const edit = (path: string) => call("edit_file", { path, old_string: "= 1", new_string: "= 2" });
  const read = Object.keys(files).map((path) => call("read_file", { path }));
  const script = [read, edit("a.ts"), say("One."), edit("b.ts"), say("Two."), say("Nothing.")];
  const undoFor = (root: string) => openUndo({ store: join(root, "../outside/undo"), root });
  const { root, run } = await rig(script, (place) => ({ undo: undoFor(place) }));
  for (const task of ["First", "Second", "Third"]) await run(task);
  const text = (path: string): string => readFileSync(join(root, path), "utf8");
  expect(undoFor(root).turns()).toMatchObject([
    { session: "test", task: "First", state: "done", files: [{ path: "a.ts" }] },
    { session: "test", task: "Second", state: "done", files: [{ path: "b.ts" }] },
  ]);
  await undoFor(root).undo(never);
  expect([text("a.ts"), text("b.ts")]).toEqual(["export const a = 2;\n", files["b.ts"]]);
  await undoFor(root).undo(never);
  expect(text("a.ts")).toBe(files["a.ts"]);
});

test.each(codeTools.map((tool) => [tool.name, tool]))(
  "%s takes no input at all, or says what is wrong",
  async (name) => {
    const tree = plantTree(files);
    onTestFinished(tree.remove);
    const tools = await openCodeTools({ root: tree.root, gate: codeGate({ yes: true }) });
    onTestFinished(() => tools.close());
    const inputs = [{}, null, undefined, [], "text", { path: [] }, { path: "a.ts", more: 1 }, { patch: 7, content: 1 }];
    for (const input of inputs) {
      const { ok, content } = await tools.call(name, input, never);
      const words = content.map((block) => (block.type === "text" ? block.text : "")).join("");
      expect([ok, words]).toEqual(ok ? [true, expect.any(String)] : [false, expect.stringMatching(/^Invalid input: /)]);
    }
    expect(readFileSync(join(tree.root, "a.ts"), "utf8")).toBe(files["a.ts"]);
  },
);
