import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Event } from "../event.ts";
import { noUsage } from "../message.ts";
import { openLog } from "./log.ts";
import { readLog } from "./read.ts";
import { readTrace, type Trace } from "./trace.ts";

let folder = "";
let file = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "croft-trace-"));
  file = join(folder, "trace.jsonl");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const setup = { budget: { steps: 1, tokens: 2, ms: 3 }, maxTokens: 4, system: [], tools: [] };
const start = (task: string): Event => ({ type: "start", session: "s", root: "/r", model: "m", task, setup });
const stop: Event = { type: "stop", status: "done", steps: 0, usage: noUsage, dollars: undefined, answer: "" };
const notice: Event = { type: "notice", code: "n", text: "A word." };
const check: Event = { type: "check", name: "c", result: { pass: true } };

function write(...events: readonly Event[]): void {
  const log = openLog({ id: "s", file });
  events.forEach((event) => log.append(event));
  log.close();
}

function change(line: number, to: (text: string) => string): void {
  const lines = readFileSync(file, "utf8").split("\n");
  writeFileSync(file, lines.with(line - 1, to(lines[line - 1] ?? "")).join("\n"));
}

/** Each turn as its task, the kinds and lines of its events, and whether it is whole. */
function outline({ turns }: Trace): unknown[] {
  return turns.map(({ start: { task }, lead, events, whole }) => {
    const words = [...lead, ...events].map(({ line, event }) => `${line} ${event.type}`);
    return [task, words.join(", "), whole];
  });
}

describe("a trace", () => {
  test("is its turns, with what was told before each", async () => {
    write(notice, start("one"), check, stop, notice, start("two"), notice, stop);
    const trace = await readTrace(file);
    expect(outline(trace)).toEqual([
      ["one", "1 notice, 2 start, 3 check, 4 stop", true],
      ["two", "5 notice, 6 start, 7 notice, 8 stop", true],
    ]);
    expect(trace.damage).toEqual([]);
    expect(trace.turns[0]?.events[1]).toEqual({ line: 3, event: check });
  });

  test("that is cut off has a turn that is not whole", async () => {
    write(start("one"), check);
    expect(outline(await readTrace(file))).toEqual([["one", "1 start, 2 check", false]]);
    write(start("two"), stop);
    expect(outline(await readTrace(file))).toEqual([
      ["one", "1 start, 2 check", false],
      ["two", "3 start, 4 stop", true],
    ]);
  });

  test("with a line that cannot be read has a turn that ends there", async () => {
    write(start("one"), check, check, stop, start("two"), stop);
    change(2, () => "{");
    const trace = await readTrace(file);
    expect(outline(trace)).toEqual([
      ["one", "1 start", false],
      ["two", "5 start, 6 stop", true],
    ]);
    expect(trace.damage).toEqual([{ line: 2, what: "unreadable" }]);
  });

  test("with a start that cannot be read leaves that turn out", async () => {
    write(start("one"), stop, start("two"), check, stop, start("three"), stop);
    change(3, () => "[]");
    const trace = await readTrace(file);
    expect(trace.damage).toEqual([{ line: 3, what: "unreadable" }]);
    expect(outline(trace)).toEqual([
      ["one", "1 start, 2 stop", true],
      ["three", "6 start, 7 stop", true],
    ]);
  });

  test("that was changed says where", async () => {
    write(start("one"), check, stop);
    change(2, (text) => text.replace("true", "false"));
    change(3, (text) => text.replace(/,"sum":".*"/, ""));
    const trace = await readTrace(file);
    expect(trace.damage).toEqual([
      { line: 2, what: "altered" },
      { line: 3, what: "altered" },
    ]);
    expect(outline(trace)).toEqual([["one", "1 start, 2 check, 3 stop", true]]);
  });

  test("without seals is taken as it is", async () => {
    write(start("one"), stop);
    writeFileSync(file, readFileSync(file, "utf8").replaceAll(/,"sum":"\w+"/g, ""));
    expect((await readTrace(file)).damage).toEqual([]);
  });

  test.each([
    '{"type":"step","ms":1,"usage":{"input":1},"stop":"end_turn"}',
    '{"type":"step","ms":1,"usage":{"input":1,"output":1,"cacheRead":1,"cacheWrite":1},"stop":"lunch"}',
    '{"type":"message","ms":1,"message":{"role":"user","content":[{"type":"tool_use","id":"1","name":"x"}]}}',
    '{"type":"message","ms":1,"message":{"role":"assistant","content":[]}}',
    '{"type":"lines","ms":1,"path":"a","from":1,"to":2,"found":{"path":"a","lines":[1],"total":1}}',
    '{"type":"tool_result","ms":1,"ok":true,"chars":"1","preview":""}',
    '{"type":"interrupted","ms":1,"by":"lunch"}',
    '{"type":"notice","ms":1}',
  ])("has no use for %s", async (line) => {
    write(start("one"));
    writeFileSync(file, `${readFileSync(file, "utf8")}${line}\n`);
    expect((await readTrace(file)).damage).toEqual([{ line: 2, what: "unreadable" }]);
  });
});

describe("what is no trace", () => {
  test.each(["", "\n\n", "Hello\nworld\n", '{"type":"notice","ms":1,"code":"a","text":"b"}\n', "\0\0\0"])(
    "%j",
    async (text) => {
      writeFileSync(file, text);
      await expect(readTrace(file)).rejects.toMatchObject({
        code: "E_NOT_A_TRACE",
        message: expect.stringContaining(file),
      });
    },
  );

  test("a turn without its setup", async () => {
    writeFileSync(file, '{"ms":0,"type":"start","session":"s","root":"/r","model":"m","task":"t"}\n');
    await expect(readTrace(file)).rejects.toMatchObject({ code: "E_TRACE_INCOMPLETE" });
  });

  test("a folder, and nothing", async () => {
    await expect(readTrace(folder)).rejects.toMatchObject({ code: "E_LOG_UNREADABLE" });
    await expect(readTrace(join(folder, "no"))).rejects.toMatchObject({ code: "E_LOG_UNREADABLE" });
  });
});

test("a log reads back as it was written, its seals taken off", async () => {
  write(start("one"), notice);
  expect(await Array.fromAsync(readLog(file))).toEqual([
    { line: 1, event: { ms: expect.any(Number), ...start("one"), format: 1 } },
    { line: 2, event: { ms: expect.any(Number), ...notice } },
  ]);
});
