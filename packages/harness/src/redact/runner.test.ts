import { readFileSync } from "node:fs";
import { afterEach, expect, test } from "vitest";
import { openBench, type Bench } from "../process/system/runner.testing.ts";
import { createRedactor } from "./redactor.ts";
import { hidingRunner } from "./runner.ts";
import { keyBegin, keyEnd } from "./samples.testing.ts";

const never = new AbortController().signal;
const password = "q7Vb2LxWm9RtZc4K";
const keyLine = "q3Lk9xYw".repeat(8);
let bench: Bench | undefined;
afterEach(() => bench?.remove());

/** A runner on a folder, its output behind a redactor, and it behind the same. */
function open() {
  const redactor = createRedactor(Buffer.from("a salt of a session, for tests"));
  bench = openBench({ filter: async () => redactor.stream() });
  return { ...bench, redactor, hiding: hidingRunner(bench.runner, async () => redactor) };
}

test("output has no secret: not in its text, not as it comes, and not in the file that has the whole of it", async () => {
  const { hiding, redactor } = open();
  const { text: hidden } = redactor.hide(`password=${password}\n`);
  const heard: string[] = [];
  const bash = (script: string) =>
    hiding.run({ command: ["bash", "-c", script], cwd: ".", timeoutMs: 30_000 }, (text) => heard.push(text), never);
  const short = await bash("printf 'password=q7Vb2'; sleep 0.3; echo LxWm9RtZc4K");
  expect([short.output.text, heard.join("")]).toEqual([hidden, hidden]);
  const { output } = await bash(`echo 'password=${password}'; seq 20000; echo 'it was ${password}'`);
  const whole = readFileSync(output.file ?? "", "utf8");
  expect([output.text, whole, heard.join("")].map((text) => text.includes(password))).toEqual([false, false, false]);
  expect(output.text.startsWith(hidden)).toBe(true);
  expect(whole.endsWith(`it was ${hidden.slice(9)}`)).toBe(true);
});

test("a key is hidden in an excerpt that lacks its beginning", async () => {
  const world = open();
  const key = `${keyBegin()}\n${`${keyLine}\n`.repeat(300)}${keyEnd()}\n`;
  const { output } = await world.bash(`seq 5000; cat <<'END'\n${key}END\nseq 300`);
  expect(output.text).toContain("characters left out");
  expect(output.text).toContain("[secret:private-key:");
  expect(output.text).not.toContain(keyLine);
});

test("what a server prints is hidden too, with the line that it has not ended", async () => {
  const { hiding } = open();
  const started = await hiding.start({ command: ["bash", "-c", `printf 'password=${password}'`], cwd: "." }, never);
  await started.wait(20_000, never);
  expect(started.read()).toMatch(/^password=\[secret:value:[0-9a-f]{16}\]$/);
  expect(hiding.running()).toEqual([started]);
});

test.for([
  ["an argument", (word: string) => ["curl", "-H", `X-Key: ${word}`]],
  ["a line for bash", (word: string) => `curl -H "X-Key: ${word}"`],
] as const)("no command gets a placeholder, nor what is left of one: %s", async ([, commandOf]) => {
  const { hiding, redactor } = open();
  const placeholder = redactor.hide(`password=${password}`, "a.ini").text.slice(9);
  for (const word of [placeholder, placeholder.slice(1, -2)]) {
    const failure = { code: "E_SECRET_IN_COMMAND", message: `${word} stands for a secret, which no command is given.` };
    const command = { command: commandOf(word), cwd: ".", timeoutMs: 1_000 };
    await expect(hiding.run(command, () => undefined, never)).rejects.toMatchObject(failure);
    await expect(hiding.start(command, never)).rejects.toMatchObject(failure);
  }
});
