import { PassThrough } from "node:stream";
import { setTimeout } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { modesOff, modesOn } from "./modes.ts";
import { openTty, type Tty } from "./tty.ts";
import type { Typed } from "./typing.ts";

type Held = { tty: Tty; input: PassThrough; log: string[]; tokens: Typed[] };

/** A terminal that keeps what it was told: what was written, and whether it is raw. */
function held(): Held {
  const log: string[] = [];
  const tokens: Typed[] = [];
  const input = Object.assign(new PassThrough(), { setRawMode: (raw: boolean) => log.push(raw ? "raw" : "cooked") });
  const output = {
    columns: 80,
    rows: 24,
    write: (text: string) => log.push(text),
    on: () => output,
    off: () => output,
  };
  const tty = openTty({
    input,
    output,
    keys: true,
    onInput: (token) => tokens.push(token),
    onResize: () => undefined,
    onEnd: () => log.push("end"),
    onStop: () => log.push("stop"),
    onLost: () => log.push("lost"),
  });
  onTestFinished(() => tty.close());
  tty.hold();
  return { tty, input, log, tokens };
}

const taken = ["raw", modesOn(true)];
const given = [modesOff(true), "cooked"];

test("a terminal that is given back is as it was, once", () => {
  const { tty, log } = held();
  tty.release();
  tty.release();
  tty.close();
  expect(log).toEqual([...taken, ...given]);
});

test.each(["exit", "uncaughtExceptionMonitor"] as const)(
  "it is given back on %s, and nothing listens any more",
  (way) => {
    const before = process.listenerCount(way);
    const { tty, log } = held();
    // What the process would call, without ending it.
    const listeners = way === "exit" ? process.listeners(way) : process.listeners(way);
    const [ours] = listeners.slice(before);
    Reflect.apply(ours ?? (() => undefined), process, [0]);
    expect(log).toEqual([...taken, `${modesOff(true)}\r\n\u001b[J`, "cooked"]);
    tty.close();
    expect(process.listenerCount(way)).toBe(before);
  },
);

test("a terminal that cannot be read any more is at its end, also while somebody else has it", async () => {
  const { tty, input, log } = held();
  tty.release();
  input.destroy(new Error("EIO"));
  await setTimeout(10);
  expect(log.at(-1)).toBe("end");
});

test("characters parted between reads, a lone ESC, and the end of input", async () => {
  const { input, tokens, log } = held();
  const bytes = Buffer.from("日\u001b");
  input.write(bytes.subarray(0, 2));
  await setTimeout(5);
  input.write(bytes.subarray(2));
  await setTimeout(80);
  input.end();
  await setTimeout(10);
  expect(tokens).toEqual([
    { type: "text", text: "日" },
    { type: "key", key: "escape" },
  ]);
  expect(log.at(-1)).toBe("end");
});
