import { expect, onTestFinished, test } from "vitest";
import { policyGate } from "../gate/rules.ts";
import type { ContextReport } from "../agent/context-report.ts";
import { anthropic } from "../model/anthropic.ts";
import { openLog } from "../session/log.ts";
import { startMessagesServer, type MessagesServer } from "../testing/messages-server/messages-server.ts";
import { call, say, type ServerReply } from "../testing/messages-server/script.ts";
import { images } from "../workspace/image/files.testing.ts";
import { openAsk, type Asking } from "./ask.ts";
import { makeFolder } from "./replay/recorder.testing.ts";

const never = new AbortController().signal;

async function rig(script: readonly ServerReply[]): Promise<{ asking: Asking; server: MessagesServer }> {
  const root = makeFolder({
    "AGENTS.md": "Tabs. ".repeat(500),
    "long.txt": "0123456789 0123456789\n".repeat(2_000),
    "a.gif": images.gif,
  });
  const server = await startMessagesServer({ script });
  const asking = openAsk({
    root,
    gate: policyGate(),
    model: anthropic({ model: "claude-opus-5-5", apiKey: "test-key", baseUrl: server.url }),
    session: openLog({ id: "s1" }),
    emit: () => undefined,
  });
  onTestFinished(async () => {
    await asking.close();
    await server.close();
  });
  return { asking, server };
}

const sumOf = ({ parts }: ContextReport): number => Object.values(parts).reduce((sum, part) => sum + part, 0);

test("before the first request all is an estimate: what is told anyway, and nothing that was said", async () => {
  const { asking, server } = await rig([]);
  const report = await asking.context();
  const { system, memory, tools, ...said } = report.parts;
  expect(said).toEqual({ user: 0, harness: 0, assistant: 0, results: 0, images: 0 });
  for (const part of [system, memory, tools]) expect(part).toBeGreaterThan(300);
  expect(Math.abs(sumOf(report) - report.used)).toBeLessThan(5);
  expect(report).toMatchObject({ of: 1_000_000, counted: undefined, compactsAt: 884_000, free: 884_000 - report.used });
  expect(server.requests).toEqual([]);
});

test("then the parts share what the service counted, and what was said since is added", async () => {
  const looks = [call("read_file", { path: "long.txt" }, "t1"), call("read_file", { path: "a.gif" }, "t2")];
  const { asking, server } = await rig([looks, say("Long and small. ".repeat(100))]);
  await asking.ask("How? ".repeat(200), never, { texts: [{ name: "stdin", text: "material\n".repeat(100) }] });
  const report = await asking.context();
  const { usage } = server.requests[1] ?? {};
  const counted = (usage?.input ?? 0) + (usage?.cacheRead ?? 0) + (usage?.cacheWrite ?? 0);
  expect(report.counted).toBe(counted);
  expect(report.used).toBeGreaterThan(counted);
  expect(report.used).toBeLessThan(1.2 * counted);
  expect(Math.abs(sumOf(report) - report.used)).toBeLessThan(5);
  expect(Object.values(report.parts).every((part) => part > 100)).toBe(true);
});

test("another model has another room; a compaction frees what it takes", async () => {
  const { asking } = await rig([call("read_file", { path: "long.txt" }, "t1"), say("Long."), say("Known: long.")]);
  await asking.ask("How long?", never);
  const before = await asking.context();
  await asking.compact(never);
  const after = await asking.context();
  expect([after.counted, after.parts.results]).toEqual([undefined, 0]);
  expect(after.used).toBeLessThan(before.used);
  const model = anthropic({ model: "claude-opus-5-5", apiKey: "test-key" });
  asking.useModel({ ...model, context: 20_000 });
  expect(await asking.context()).toMatchObject({ of: 20_000, compactsAt: 13_000 });
});
