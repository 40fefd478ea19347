import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Failure } from "../error.ts";
import type { Event } from "../event.ts";
import { noUsage, type Message } from "../message.ts";
import { openLog } from "./log.ts";
import { readLog, type LogLine } from "./read.ts";

let folder = "";
let file = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "croft-log-"));
  file = join(folder, "session.jsonl");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function said(text: string): Message {
  return { role: "user", content: [{ type: "text", text }] };
}
function message(text: string): Event {
  return { type: "message", message: said(text) };
}
const stop: Event = { type: "stop", status: "done", steps: 1, usage: noUsage, dollars: undefined, answer: "yes" };

async function read(path: string = file): Promise<LogLine[]> {
  return Array.fromAsync(readLog(path));
}
/** The texts of the messages in a log, with `bad <line>` where a line cannot be read. */
async function texts(): Promise<string[]> {
  return (await read()).map(({ line, event }) => {
    if (event === undefined) return `bad ${line}`;
    return event.type === "message" && event.message.content[0]?.type === "text"
      ? event.message.content[0].text
      : event.type;
  });
}

function openFiles(): string[] {
  return readdirSync("/proc/self/fd").flatMap((descriptor) => {
    try {
      return [readlinkSync(join("/proc/self/fd", descriptor))];
    } catch {
      return [];
    }
  });
}

describe("a session log", () => {
  test("keeps each event as a line with its milliseconds, at once, and folds the messages", async () => {
    let clock = 1_000;
    const log = openLog({ file, id: "s1", now: () => clock });
    log.append({ type: "start", session: "s1", root: "/r", model: "m", task: "t" });
    clock += 12.4;
    log.append(message("hello"));
    expect(readFileSync(file, "utf8")).toBe(
      '{"ms":0,"type":"start","session":"s1","root":"/r","model":"m","task":"t","format":1,"sum":"d1bf9dd6"}\n' +
        '{"ms":12,"type":"message","message":{"role":"user","content":[{"type":"text","text":"hello"}]},"sum":"c742fb10"}\n',
    );
    log.append(stop);
    expect({ id: log.id, file: log.file, messages: log.messages }).toEqual({
      id: "s1",
      file,
      messages: [said("hello")],
    });
    expect((await read()).map(({ line, event }) => [line, event?.type, event?.ms])).toEqual([
      [1, "start", 0],
      [2, "message", 12],
      [3, "stop", 12],
    ]);
    log.close();
    log.close();
  });

  test("is readable by its owner alone", () => {
    openLog({ file, id: "s1" }).close();
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test("without a file is kept in memory", () => {
    const log = openLog({ id: "s1" });
    log.append(message("hello"));
    log.close();
    log.append(message("after"));
    expect({ file: log.file, messages: log.messages }).toEqual({
      file: undefined,
      messages: [said("hello"), said("after")],
    });
  });

  test("resumed, goes on after what was said, on a fresh line", async () => {
    writeFileSync(file, `${JSON.stringify({ ms: 0, ...message("one") })}\n{"ms":1,"type":"mess`);
    const log = openLog({ file, id: "s1", earlier: { messages: [said("one")] } });
    log.append(message("two"));
    log.close();
    expect(await texts()).toEqual(["one", "bad 2", "two"]);
    expect(log.messages).toEqual([said("one"), said("two")]);
  });

  test("resumed after a clean end, adds no empty line", () => {
    openLog({ file, id: "s1" }).close();
    const log = openLog({ file, id: "s1" });
    log.append(message("one"));
    log.close();
    openLog({ file, id: "s1" }).close();
    expect(readFileSync(file, "utf8").split("\n")).toHaveLength(2);
  });

  test("is not opened where it cannot be", () => {
    const missing = join(folder, "no", "session.jsonl");
    expect(() => openLog({ file: missing, id: "s1" })).toThrow(
      expect.objectContaining({
        code: "E_LOG_UNWRITABLE",
        remedy: expect.any(String),
        message: expect.stringContaining(missing),
      }),
    );
    expect(() => openLog({ file: folder, id: "s1" })).toThrow(Failure);
  });

  test.runIf(process.platform === "linux")("on a full disk says so once and goes on in memory", () => {
    const failures: Failure[] = [];
    const log = openLog({ file: "/dev/full", id: "s1", onError: (failure) => failures.push(failure) });
    for (const text of ["one", "two", "three"]) log.append(message(text));
    log.close();
    expect(failures.map(({ code }) => code)).toEqual(["E_LOG_UNWRITABLE"]);
    expect(log.messages).toEqual([said("one"), said("two"), said("three")]);
  });

  test("keeps why a model failed, and a notice for what is no plain data", async () => {
    const log = openLog({ file, id: "s1" });
    const failed = new Failure("E_SERVICE", "The service is down.", { remedy: "Wait.", cause: new Error("x") });
    log.append({ type: "step", step: 1, usage: noUsage, dollars: 0, stop: { failed } });
    const circle: { self?: unknown } = {};
    circle.self = circle;
    log.append({ type: "tool_result", id: "1", name: "t", ok: true, chars: 0, preview: "", details: circle });
    log.append({ type: "tool_call", id: "2", name: "t", input: 1n });
    log.append(stop);
    log.close();
    expect((await read()).map(({ event }) => event)).toEqual([
      expect.objectContaining({
        stop: { failed: { code: "E_SERVICE", message: "The service is down.", remedy: "Wait." } },
      }),
      expect.objectContaining({
        type: "notice",
        code: "E_NOT_PLAIN_DATA",
        text: expect.stringContaining("tool_result"),
      }),
      expect.objectContaining({ type: "notice", code: "E_NOT_PLAIN_DATA", text: expect.stringContaining("tool_call") }),
      expect.objectContaining({ type: "stop" }),
    ]);
  });

  test("500 tool calls of 200 progress updates each take less than twice the bytes of what was said", () => {
    const log = openLog({ file, id: "s1" });
    for (let call = 0; call < 500; call++) {
      for (let update = 0; update < 200; update++)
        log.append({ type: "delta", delta: { type: "progress", text: "x".repeat(2_000) } });
      log.append({ type: "tool_call", id: `${call}`, name: "t", input: { path: "a.ts" } });
      log.append({ type: "tool_result", id: `${call}`, name: "t", ok: true, chars: 2_000, preview: "line" });
      log.append(message("y".repeat(2_000)));
    }
    log.close();
    expect(statSync(file).size).toBeLessThan(2 * JSON.stringify(log.messages).length);
  });
});

describe("reading a log back", () => {
  const ten = Array.from({ length: 10 }, (_, at) => `${JSON.stringify({ ms: at, ...message(`m${at + 1}`) })}\n`);
  const names = ten.map((_, at) => `m${at + 1}`);

  test("a last line cut in the middle hides no other", async () => {
    writeFileSync(file, ten.join("").slice(0, -20));
    expect(await texts()).toEqual([...names.slice(0, 9), "bad 10"]);
  });

  test("a last line without its newline counts", async () => {
    writeFileSync(file, ten.join("").trimEnd());
    expect(await texts()).toEqual(names);
  });

  test("a bad line hides no other", async () => {
    writeFileSync(file, ten.with(4, "{bad\n").join(""));
    expect(await texts()).toEqual(names.with(4, "bad 5"));
  });

  test("NULs at the end, and before what was written after them", async () => {
    writeFileSync(file, `${ten.join("")}${"\0".repeat(4_096)}`);
    expect(await texts()).toEqual([...names, "bad 11"]);
    appendFileSync(file, ten[0] ?? "");
    expect(await texts()).toEqual([...names, "m1"]);
  });

  test("an empty file and empty lines hold nothing", async () => {
    writeFileSync(file, "");
    expect(await texts()).toEqual([]);
    writeFileSync(file, `\n\r\n${ten[0]}\n`);
    expect(await texts()).toEqual(["m1"]);
  });

  test.each(["5", "null", "[]", "{}", '{"type":1,"ms":1}', '{"type":"stop"}', '{"type":"message","ms":1}'])(
    "%s is no event",
    async (line) => {
      writeFileSync(file, `${line}\n${ten[0]}`);
      expect(await texts()).toEqual(["bad 1", "m1"]);
    },
  );

  test("a message without content, and bytes that are no UTF-8, are bad", async () => {
    const other = '{"type":"message","ms":1,"message":{"role":"user","content":"x"}}\n{"type":"a","ms":1,"b":"';
    writeFileSync(file, Buffer.concat([Buffer.from(other), Buffer.from([0xff]), Buffer.from(`"}\n${ten[0]}`)]));
    expect(await texts()).toEqual(["bad 1", "bad 2", "m1"]);
  });

  test("a file that cannot be read is a Failure", async () => {
    await expect(read(join(folder, "none"))).rejects.toMatchObject({ code: "E_LOG_UNREADABLE" });
    await expect(read(folder)).rejects.toMatchObject({ code: "E_LOG_UNREADABLE" });
  });

  test.runIf(process.platform === "linux")("stopping early leaves nothing open", async () => {
    writeFileSync(file, ten.join("").repeat(2_000));
    for await (const { line } of readLog(file)) if (line === 3) break;
    await expect.poll(openFiles).not.toContain(file);
    expect(await texts()).toHaveLength(20_000);
  });

  test("any text survives, lone surrogates and line separators too", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string({ unit: "binary" }).map((text) => `${text}\u2028\ud800\n`)), async (said) => {
        rmSync(file, { force: true });
        const log = openLog({ file, id: "s1" });
        for (const text of said) log.append(message(text));
        log.close();
        expect(await texts()).toEqual(said);
      }),
      { numRuns: 50 },
    );
  });
});
