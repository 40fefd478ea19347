import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { policyGate } from "../gate/rules.ts";
import { call, say, scripted, type Script } from "../model/scripted.ts";
import { keptOutputs } from "../artifact/outputs.ts";
import { readOnlyPolicy } from "../policy/presets.ts";
import { openLog } from "../session/log.ts";
import { readOutput } from "../tool/code/read_output.ts";
import { readFile } from "../tool/code/read_file.ts";
import { search } from "../tool/code/search.ts";
import { defineTool, textResult } from "../tool/tool.ts";
import { openFence } from "../workspace/fence/on-disk.ts";
import { createLedger } from "../workspace/ledger.ts";
import { linesThrough } from "../workspace/lines.ts";
import { ripgrep } from "../workspace/search/ripgrep.ts";
import { plantTree } from "../workspace/tree.testing.ts";
import { openWorkspace } from "../workspace/workspace.ts";
import { runTurn } from "./loop.ts";

const lines = Array.from({ length: 500_000 }, (_, n) => `line ${n + 1}`).join("\n");
const flood = defineTool({
  name: "flood",
  description: "Floods.",
  input: z.strictObject({}),
  effect: "read",
  run: async () => textResult(lines),
});

/** A turn with a model of a small context. */
async function play(script: Script, kept: boolean) {
  const { root, remove } = plantTree({ "long.txt": "some words in a line\n".repeat(2_000) });
  const base = mkdtempSync(join(tmpdir(), "croft-huge-"));
  onTestFinished(() => {
    remove();
    rmSync(base, { recursive: true });
  });
  const fence = openFence(root, readOnlyPolicy());
  const ledger = createLedger();
  const session = openLog({ id: "test", file: join(base, "trace.jsonl") });
  const options = {
    model: { ...scripted(script), context: 10_000 },
    maxTokens: 1_000,
    system: [],
    tools: [flood, readFile, search, readOutput],
    workspace: openWorkspace({ fence, gate: policyGate(), search: ripgrep("") }),
    ledger,
    ...(kept && { outputs: keptOutputs({ folder: base }) }),
    checks: [],
    lines: linesThrough(fence),
    session,
    root,
    budget: { steps: 10, tokens: 1_000_000, ms: 60_000 },
    cost: () => undefined,
    emit: () => undefined,
  };
  const { status } = await runTurn("Do it.", options, new AbortController().signal);
  session.close();
  fence.close();
  const results = session.messages.flatMap(({ content }) =>
    content.flatMap((block) => (block.type === "tool_result" ? block.content : [])),
  );
  return {
    status,
    texts: results.map((part) => (part.type === "text" ? part.text : "")),
    bytes: statSync(join(base, "trace.jsonl")).size,
    ledger,
  };
}

test("5 MB from a tool are cut before they are kept in the session, and can be read on with", async () => {
  const { status, texts, bytes } = await play(({ messages }) => {
    const last = JSON.stringify(messages.at(-1));
    const id = /output-[0-9a-f-]{36}/.exec(last)?.[0];
    if (messages.length === 1) return call("flood", {});
    return messages.length === 3 ? call("read_output", { id, offset: 250_000, limit: 1 }) : say("Done.");
  }, true);
  expect([status, texts.length]).toEqual(["done", 2]);
  expect(texts[0]).toMatch(
    /^line 1\n[^]*… \(\d+ characters left out: read on with read_output, id output-[0-9a-f-]{36}\) …[^]*line 500000$/,
  );
  expect(texts[0]?.length).toBeLessThanOrEqual(7_500);
  expect(texts[1]).toMatch(/^output-[^:]*:\n250000\tline 250000\n\(continue with offset 250001\)$/);
  expect(bytes).toBeLessThan(30_000);
});

test("where outputs are not kept, the model is told to ask for less", async () => {
  const { texts } = await play([call("flood", {}), say("Done.")], false);
  expect(texts[0]).toContain("characters left out: ask for less");
});

test("a tool that pages gives no more than is kept, so that every line it says it showed was sent", async () => {
  const calls = [
    call("read_file", { path: "long.txt", limit: 2_000 }),
    call("search", { pattern: "words", limit: 999 }),
  ];
  const { texts, ledger } = await play([calls, say("Done.")], false);
  const [read = "", found = ""] = texts;
  const last = Number(/lines 1-(\d+) of 2000/.exec(read)?.[1]);
  expect(read).toContain(`\n${last}\tsome words`);
  expect(read).toMatch(new RegExp(`\\(continue with offset ${last + 1}\\)$`));
  const matches = found.match(/long\.txt:\d+:/g)?.length ?? 0;
  expect(found).toContain(`(stopped at ${matches} matches`);
  const shown = Array.from({ length: 2_000 }, (_, at) => ledger.has("long.txt", at + 1)).filter(Boolean).length;
  expect(shown).toBe(Math.max(last, matches));
});
