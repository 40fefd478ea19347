import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Event } from "../event.ts";
import { noUsage, type Message } from "../message.ts";
import { seal } from "../seal.ts";
import { forkSession } from "./fork.ts";
import { sessionsIn } from "./list.ts";
import { openLog } from "./log.ts";
import { readPast } from "./past.ts";

let folder = "";
let file = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "croft-past-"));
  file = join(folder, "s1.jsonl");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const setup = { budget: { steps: 1, tokens: 2, ms: 3 }, maxTokens: 4, system: [], tools: [] };
const start = (task: string): Event => ({ type: "start", session: "s1", root: "/r", model: "p/m", task, setup });
const step = (dollars: number | undefined): Event => ({
  type: "step",
  step: 1,
  usage: noUsage,
  dollars,
  stop: "tool_use",
});
const stop = (dollars: number | undefined): Event => ({
  type: "stop",
  status: "done",
  steps: 1,
  usage: noUsage,
  dollars,
  answer: "",
});
const said = (text: string): Message => ({ role: "user", content: [{ type: "text", text }] });
const saying = (text: string): Event => ({ type: "message", message: said(text) });
const calling = (...ids: string[]): Message => ({
  role: "assistant",
  origin: { provider: "p", model: "m" },
  content: ids.map((id) => ({ type: "tool_use", id, name: "edit_file", input: {} })),
});
const call = (id: string): Event => ({ type: "tool_call", id, name: "edit_file", input: {} });
const answers = (...texts: [id: string, text: string][]): Message => ({
  role: "user",
  content: texts.map(([toolUseId, text]) => ({
    type: "tool_result",
    toolUseId,
    content: [{ type: "text", text }],
    isError: true,
  })),
});

function write(...events: readonly Event[]): void {
  const log = openLog({ id: "s1", file });
  events.forEach((event) => log.append(event));
  log.close();
}

describe("what a session was", () => {
  test("is folded from its log", async () => {
    const shown = [{ path: "a", hash: "h", from: 1, to: 2, via: "read" as const }];
    write(start("one"), saying("one"), step(1));
    write({ type: "attachment", name: "a", ok: true, chars: 1, preview: "p", shown }, stop(1));
    write({ type: "rejected", block: "b", what: "image", reason: "r" });
    write(start("two"), saying("two"), stop(0.5));
    expect(await readPast(file)).toEqual({
      origin: "s1",
      root: "/r",
      model: "p/m",
      setup,
      messages: [said("one"), said("two")],
      learned: [{ shown, landed: undefined }],
      recent: [{ shown, landed: undefined }],
      counted: undefined,
      todos: [],
      rejected: new Set(["b"]),
      offered: new Set(),
      spent: { turns: 2, dollars: 1.5 },
      used: [{ model: "p/m", usage: noUsage, dollars: 1 }],
      status: "done",
      repairs: [],
    });
  });

  test("counts what a turn that was killed has cost by its steps, and nothing where a model has no price", async () => {
    write(start("one"), step(1), step(2), start("two"), step(4));
    expect((await readPast(file)).spent).toEqual({ turns: 2, dollars: 7 });
    write(start("three"), step(undefined), stop(undefined));
    expect((await readPast(file)).spent).toEqual({ turns: 3, dollars: undefined });
  });

  test("answers calls that were left open with what is known of each, wherever in the log that is", async () => {
    const result: Event = {
      type: "tool_result",
      id: "a",
      name: "edit_file",
      ok: true,
      chars: 9,
      preview: "Edited a.ts",
    };
    const events = [
      start("one"),
      { type: "message", message: calling("a", "b", "c") } as const,
      call("a"),
      result,
      call("b"),
    ];
    write(...events);
    const closed = answers(
      ["a", "This was run to its end, but its result is lost. It began: Edited a.ts"],
      ["b", "croft was ended while this ran: it may have done a part of its work. Look before you call it again."],
      ["c", "croft was ended before this was run."],
    );
    const { messages, repairs } = await readPast(file);
    expect(messages).toEqual([calling("a", "b", "c"), closed]);
    expect(repairs).toEqual(["croft was ended in a call of edit_file; the model is told how far it had come."]);
    write(start("two"), saying("two"), stop(0));
    const later = await readPast(file);
    expect([later.messages, later.repairs]).toEqual([[calling("a", "b", "c"), closed, said("two")], []]);
  });

  test("holds a line that is no event of a session against nobody", async () => {
    write(start("one"), saying("one"), stop(0));
    appendFileSync(file, '{"ms":1,"type":"message","message":{"role":"user","content":[{"type":"who"}]}}\n[]\n');
    const { messages, repairs } = await readPast(file);
    expect(messages).toEqual([said("one")]);
    expect(repairs).toEqual(["Lines 4, 5 of the log cannot be read: left out."]);
  });

  test("names lines that were changed", async () => {
    write(start("one"), saying("one"), stop(0));
    writeFileSync(file, readFileSync(file, "utf8").replace('"text":"one"', '"text":"two"'));
    expect((await readPast(file)).repairs).toEqual([
      "Line 2 of the log changed after being written: taken as it is now.",
    ]);
  });

  test("of what gave way to notes only what it did counts, and each of its lines is checked all the same", async () => {
    const by = { role: "user" as const, content: [{ type: "text" as const, text: "Notes." }] };
    const spent = { usage: noUsage, dollars: 1, stop: "end_turn" as const };
    write(start("one"), saying("one"), { type: "message", message: calling("a") }, call("a"));
    write(start("two"), saying("two"), { type: "message", message: calling("b") }, stop(1));
    write(start("three"), saying("three"), saying("four"));
    // Answers to the two calls that were left open count among the messages: six of eight give way.
    write({ type: "compaction", notes: "n", ...spent, replaced: { upTo: 6, by } }, saying("five"), stop(2));
    const left = [by, said("three"), said("four"), said("five")];
    expect(await readPast(file)).toMatchObject({ messages: left, spent: { turns: 3, dollars: 3 }, repairs: [] });
    const lines = readFileSync(file, "utf8").split("\n");
    const changed = lines.with(1, `${lines[1]}`.replace('"one"', '"ONE"')).with(5, `${lines[5]}`.slice(0, -30));
    writeFileSync(file, changed.join("\n"));
    expect((await readPast(file)).repairs).toEqual([
      "Line 6 of the log cannot be read: left out.",
      "Line 2 of the log changed after being written: taken as it is now.",
    ]);
  });

  test("a session that a newer croft went on with is refused, in a word that says so; a fork of what was before is not", async () => {
    write(start("one"), saying("one"), stop(0));
    const newer = { ms: 0, ...start("two"), format: 2 };
    appendFileSync(file, `${seal(JSON.stringify(newer))}\n`);
    await expect(readPast(file)).rejects.toMatchObject({
      code: "E_NEWER_LOG",
      message: "A newer croft has worked in this session: it is written in format 2, and this croft reads 1.",
    });
    await forkSession(file, join(folder, "s2.jsonl"), 1);
    expect((await readPast(join(folder, "s2.jsonl"))).messages).toEqual([said("one")]);
  });

  test("a message in a shape of a newer croft is left out and named, though nobody changed it", async () => {
    const newer = JSON.stringify({ ms: 1, type: "message", message: { role: "user", content: [{ type: "smell" }] } });
    write(start("one"), saying("one"));
    appendFileSync(file, `${seal(newer)}\n`);
    write(saying("two"), stop(0));
    const { messages, repairs } = await readPast(file);
    expect(messages).toEqual([said("one"), said("two")]);
    expect(repairs).toEqual(["Line 3 of the log cannot be read: left out."]);
  });

  test.each(["", "\n\0\0\n", "Hello\n", '{"ms":1,"type":"stop"}\n'])("%j is no session", async (text) => {
    writeFileSync(file, text);
    await expect(readPast(file)).rejects.toMatchObject({ code: "E_NOT_A_SESSION" });
  });
});

describe("of a very long session", () => {
  const text = "x".repeat(1_000_000);
  const exchange = (id: string): Event[] => [
    { type: "message", message: calling(id) },
    { type: "message", message: answers([id, `${text}${id}`]) },
  ];

  test("the oldest results are put aside, told apart still, and every call stays answered", async () => {
    write(start("one"), saying("one"));
    for (let n = 0; n < 60; n++) write(...exchange(`c${n}`));
    write(stop(0));
    const { messages } = await readPast(file);
    const texts = messages.flatMap(({ content }) =>
      content.flatMap((block) => (block.type === "tool_result" ? [JSON.stringify(block.content)] : [])),
    );
    expect(messages).toHaveLength(121);
    expect(texts.join("").length).toBeLessThan(33_000_000);
    expect(texts[0]).toMatch(/This result is old and was left out: 1000002 characters, sum [0-9a-f]{8}\./);
    expect(new Set(texts).size).toBe(60);
    expect(texts.at(-1)).toContain(`${text}c59`);
  });
});

describe("the sessions in a folder", () => {
  const copyTo = (id: string): string => join(folder, `${id}.jsonl`);

  test("are told from their files, the last used first, those of other projects and other files left out", async () => {
    write(start("First\nline two"), saying("one"), stop(1), start("two"), step(2));
    await forkSession(file, copyTo("s2"), 1);
    writeFileSync(copyTo("s3"), "no session\n");
    writeFileSync(join(folder, "s4.txt"), readFileSync(file));
    const at = expect.any(Number);
    const one = { file, id: "s1", at, bytes: statSync(file).size, root: "/r", task: "First", model: "p/m" };
    const two = { ...one, id: "s2", file: copyTo("s2"), bytes: statSync(copyTo("s2")).size, from: "s1" };
    expect(await Array.fromAsync(sessionsIn(folder, { root: "/r" }))).toEqual([
      { ...two, turns: 1, dollars: 1, status: "done" },
      { ...one, turns: 2, dollars: 3, status: "interrupted" },
    ]);
    expect(await Array.fromAsync(sessionsIn(folder, { root: "/other" }))).toEqual([]);
    expect(await Array.fromAsync(sessionsIn(folder, { limit: 1 }))).toHaveLength(1);
    expect(await Array.fromAsync(sessionsIn(join(folder, "none")))).toEqual([]);
  });

  test("a fork is the other's bytes up to the end of a turn, whole lines only, and never replaces a file", async () => {
    write(start("one"), stop(1), start("two"));
    const lines = readFileSync(file, "utf8").split(/(?<=\n)/);
    appendFileSync(file, '{"ms":1,"type":"st');
    expect(await forkSession(file, copyTo("s2"), 1)).toBe(1);
    expect(await forkSession(file, copyTo("s3"))).toBe(2);
    expect(readFileSync(copyTo("s2"), "utf8")).toBe(lines.slice(0, 2).join(""));
    expect(readFileSync(copyTo("s3"), "utf8")).toBe(lines.join(""));
    expect(statSync(copyTo("s3")).mode & 0o777).toBe(0o600);
    await expect(forkSession(file, copyTo("s3"))).rejects.toMatchObject({ code: "E_LOG_UNWRITABLE" });
    await expect(forkSession(file, copyTo("s4"), 3)).rejects.toMatchObject({ code: "E_NO_TURN" });
    expect(readFileSync(copyTo("s3"), "utf8")).toBe(lines.join(""));
  });
});
