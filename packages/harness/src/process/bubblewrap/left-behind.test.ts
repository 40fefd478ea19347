/** What a command leaves running in the enclosure, and that counting it changes nothing else. */

import { expect, onTestFinished, test } from "vitest";
import { needs } from "../../../../../test/support/needs.ts";
import { encloseProject } from "../../workspace/guard/enclosed.testing.ts";
import type { Enclosure } from "../enclosure.ts";
import type { Ended } from "../runner.ts";
import { openBench } from "../system/runner.testing.ts";

const enclosed = test.runIf(process.platform === "linux" && needs("bwrap"));
const never = new AbortController().signal;

type Run = (command: string | readonly string[], timeoutMs?: number, hosts?: readonly string[]) => Promise<Ended>;

/** A runner whose commands run in a real enclosure. */
async function runner(): Promise<{ run: Run; enclosure: Enclosure }> {
  const box = await encloseProject();
  const bench = openBench({ enclosure: box.enclosure });
  onTestFinished(async () => {
    await bench.remove();
    await box[Symbol.asyncDispose]();
  });
  return {
    enclosure: box.enclosure,
    run: (command, timeoutMs = 30_000, hosts = []) =>
      bench.runner.run({ command, cwd: ".", timeoutMs, hosts }, () => undefined, never),
  };
}

function ended(output: string, rest: Partial<Ended> = {}): Ended {
  const bytes = Buffer.byteLength(output);
  return {
    code: 0,
    signal: null,
    timedOut: false,
    left: 0,
    notices: [],
    output: { text: output, bytes, file: undefined },
    ...rest,
  };
}

enclosed("what a command leaves running is ended and counted, wherever it went", async () => {
  const { run } = await runner();
  expect(await run("echo nothing")).toEqual(ended("nothing\n"));
  expect(await run("sleep 300 & echo started")).toEqual(ended("started\n", { left: 1 }));
  expect(await run("setsid -f sleep 300; echo started; exit 3")).toEqual(ended("started\n", { code: 3, left: 1 }));
  const deaf = "(trap '' HUP TERM; exec nohup setsid sleep 300 >/dev/null 2>&1) &";
  expect(await run(`${deaf} (sleep 300 & sleep 301 & wait) & sleep 0.2; kill -9 $$`)).toEqual(
    ended("", { code: 137, left: 4 }),
  );
  expect(await run(["sleep", "0.1"])).toEqual(ended(""));
});

enclosed("who has ended and is not waited for is not counted, whatever the names", async () => {
  const { run } = await runner();
  const careless = `perl -e 'fork or exit; $0 = "x) Z ("; sleep 300' & sleep 0.5`;
  expect(await run(careless)).toEqual(ended("", { left: 1 }));
});

enclosed("with a way out the forwarder is not counted as left behind", async () => {
  const { run } = await runner();
  expect(await run("sleep 300 & exit 4", 30_000, ["localhost:1"])).toEqual(ended("", { code: 4, left: 1 }));
  expect(await run("true", 30_000, ["localhost:1"])).toEqual(ended(""));
});

enclosed("who is deaf to the end of its time is counted, and its parent may say a last word", async () => {
  const { run } = await runner();
  const script = `(trap '' TERM; while :; do sleep 0.1; done) & trap 'echo tidied; exit 5' TERM; while :; do sleep 0.05; done`;
  const { code, timedOut, left, output } = await run(script, 1_500);
  expect({ code, timedOut, text: output.text, counted: left > 0 }).toEqual({
    code: 5,
    timedOut: true,
    text: expect.stringMatching(/tidied\n$/),
    counted: true,
  });
});

enclosed("a command finds arguments, numbers, environment and descriptors as without the count", async () => {
  const { run, enclosure } = await runner();
  expect(await run(["echo", "-n", "$HOME", "a b", "", "*", "'"])).toEqual(ended("$HOME a b  * '"));
  const numbers = await run("echo $$ $PPID $SHLVL; cut -d' ' -f 1,4-8 /proc/$$/stat");
  expect(numbers).toEqual(ended("2 1 1\n2 1 1 1 0 -1\n"));
  const sockets = await run(
    "ls -l /proc/$$/fd 2>/dev/null | grep -c socket: ; { : >&4; } 2>/dev/null && echo writable",
  );
  expect(sockets).toEqual(ended("0\n", { code: 1 }));
  await using launch = await enclosure.launch({ argv: ["env"], cwd: ".", profile: "plain", hosts: [] }, never);
  const given = launch.argv.flatMap((word, at) => (word === "--setenv" ? [launch.argv[at + 1]] : []));
  const { output } = await run(["env"]);
  const found = output.text
    .trim()
    .split("\n")
    .map((line) => line.split("=", 1)[0]);
  expect(new Set(found)).toEqual(new Set([...given, "PWD"]));
});

enclosed("no command can write the count, nor end who counts", async () => {
  const { run } = await runner();
  const tries = `kill -9 1; kill -STOP 1; trap : INT; kill -INT 0; kill -INT 1; for fd in /proc/1/fd/*; do case $(readlink $fd) in socket:*) echo 999 >$fd;; esac; done; sleep 300 & exit 6`;
  const { code, left, output } = await run(tries);
  expect({ code, left, text: output.text }).toEqual({
    code: 6,
    left: 1,
    text: expect.stringContaining("No such device"),
  });
});
