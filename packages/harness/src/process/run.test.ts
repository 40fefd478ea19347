import { spawn } from "node:child_process";
import { writeFileSync, chmodSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { gone, pidIn } from "./system/processes.testing.ts";
import { openBench, type Bench } from "./system/runner.testing.ts";

let bench: Bench;
beforeEach(() => {
  bench = openBench();
});
afterEach(() => bench.remove());

const plainEnd = { code: 0, signal: null, timedOut: false, left: 0, notices: [] };

function text(output: string): { output: { text: string; bytes: number; file: undefined } } {
  return { output: { text: output, bytes: Buffer.byteLength(output), file: undefined } };
}

test("a command gets its argv untouched, runs in its folder, and its end is told", async () => {
  mkdirSync(join(bench.root, "sub"));
  const argv = [process.execPath, "-e", "console.log(process.argv.slice(1), process.cwd())", "$HOME `x`", "a b", ""];
  expect(await bench.run(argv, "sub")).toEqual({
    ...plainEnd,
    ...text(`[ '$HOME \`x\`', 'a b', '' ] ${join(bench.root, "sub")}\n`),
  });
});

test("both streams are kept in the order in which they were written, whatever the exit code", async () => {
  const script = "for i in 1 2 3 4 5; do echo out $i; echo err $i >&2; done; exit 3";
  const lines = [1, 2, 3, 4, 5].map((i) => `out ${i}\nerr ${i}\n`).join("");
  expect(await bench.bash(script)).toEqual({ ...plainEnd, code: 3, ...text(lines) });
});

test("the streams can be opened by name", async () => {
  expect(await bench.bash("echo one >/dev/stdout; echo two >/dev/stderr; echo three | tee /dev/stderr")).toEqual({
    ...plainEnd,
    ...text("one\ntwo\nthree\nthree\n"),
  });
});

test("the death by a signal is told as one", async () => {
  expect(await bench.bash("echo a; kill -SEGV $$")).toEqual({
    ...plainEnd,
    code: null,
    signal: "SIGSEGV",
    ...text("a\n"),
  });
});

test("stdin is empty, there is no terminal, and a password prompt fails at once", async () => {
  expect(await bench.bash("cat; read -r line </dev/tty || echo none; tty; ps -o tty= -p $$ | tr -d ' '")).toMatchObject(
    {
      code: 0,
      output: {
        text: expect.stringMatching(/^\S*bash: line 1: \/dev\/tty: No such device or address\nnone\nnot a tty\n\?\n$/),
      },
    },
  );
});

test("git shows all of a long log at once, and asks for no editor and no password", async () => {
  const script = `
    git init -q . && git config user.name a && git config user.email a@b
    for i in $(seq 200); do git commit -q --allow-empty -m "commit $i"; done
    git log --oneline | tail -1 | cut -d' ' -f2-
    git log --format=%s
    git commit --allow-empty
  `;
  const { code, output } = await bench.bash(script);
  expect(code).toBe(1);
  expect(output.text.split("\n").length).toBeGreaterThan(200);
  expect(output.text).toContain("There is no editor here: give the text as an argument");
});

test("a job in the background does not hold the call up; it is ended and counted", async () => {
  const ended = await bench.bash("sleep 300 & echo $! > pid; echo started");
  expect(ended).toEqual({ ...plainEnd, left: 1, ...text("started\n") });
  expect(await gone(await pidIn(join(bench.root, "pid")))).toBe(true);
});

test.runIf(process.platform === "linux").each([
  ["in a session of its own", "setsid sleep 300 & echo $! > pid; sleep 0.2"],
  [
    "a daemon of two forks",
    "(setsid bash -c 'echo $$ > pid; exec sleep 300' &) ; while ! [ -s pid ]; do sleep 0.01; done",
  ],
  ["deaf to HUP", "nohup sleep 300 >/dev/null 2>&1 & echo $! > pid; disown"],
  [
    "deaf to TERM",
    "bash -c 'trap \"\" TERM; echo $$ > pid; while :; do sleep 0.1; done' & while ! [ -s pid ]; do sleep 0.01; done",
  ],
])("what is left behind is ended: %s", async (_, script) => {
  const { code, left } = await bench.bash(script);
  expect([code, left > 0, await gone(await pidIn(join(bench.root, "pid")))]).toEqual([0, true, true]);
});

test("when its time is up a command is ended with all of its pipeline, also who is deaf to TERM", async () => {
  const script = `
    trap '' TERM; echo $$ > leader; echo begun
    (echo $BASHPID > one; while :; do sleep 0.1; done) | cat &
    (echo $BASHPID > two; while :; do :; done) &
    sleep 60`;
  const ended = await bench.bash(script, 500);
  expect(ended).toMatchObject({ code: null, signal: "SIGKILL", timedOut: true, output: { text: "begun\n" } });
  for (const file of ["leader", "one", "two"]) expect(await gone(await pidIn(join(bench.root, file)))).toBe(true);
});

test("one that stopped itself is ended", async () => {
  const ended = await bench.bash("kill -STOP $$", 300);
  expect(ended).toMatchObject({ signal: "SIGKILL", timedOut: true });
});

test("one that ends on TERM may say a last word", async () => {
  const script = "trap 'echo tidied; exit 5' TERM; while :; do sleep 0.05; done";
  expect(await bench.bash(script, 1_000)).toMatchObject({
    code: 5,
    timedOut: true,
    output: { text: expect.stringMatching(/tidied\n$/) },
  });
});

test("a watch mode is ended by the time, and what it said is kept", async () => {
  writeFileSync(join(bench.root, "a.mjs"), "console.log('watched')");
  const script = `${process.execPath} --watch --watch-preserve-output a.mjs`;
  expect(await bench.bash(script, 3_000)).toMatchObject({
    timedOut: true,
    output: { text: expect.stringContaining("watched") },
  });
});

test("cancelling ends the command and rejects with the reason", async () => {
  const cancel = new AbortController();
  const running = bench.bash("echo $$ > pid; sleep 300", 30_000, cancel.signal);
  const pid = await pidIn(join(bench.root, "pid"));
  cancel.abort(new Error("enough"));
  await expect(running).rejects.toThrow("enough");
  expect(await gone(pid)).toBe(true);
});

test("a command that signals its group, its session or its parent's group reaches only itself", async () => {
  expect(await bench.bash("kill 0; sleep 5")).toMatchObject({ signal: "SIGTERM" });
  expect(await bench.bash("trap '' TERM; kill -TERM -$$; kill -9 0")).toMatchObject({ signal: "SIGKILL" });
});

test("nothing of the harness is open in a command", async () => {
  const other = bench.bash("while ! [ -e done ]; do sleep 0.01; done");
  const { output } = await bench.run(["find", "/proc/self/fd", "-lname", "*pipe-*", "-printf", "%f\n"]);
  writeFileSync(join(bench.root, "done"), "");
  await other;
  expect(output.text.split("\n").toSorted()).toEqual(["", "1", "2"]); // the one pipe for both streams
});

test("a command finds no more in its environment than was meant for it", async () => {
  process.env["CROFT_TEST_KEY"] = "secret";
  const { output } = await bench.run(["env"]);
  delete process.env["CROFT_TEST_KEY"];
  expect(output.text).not.toContain("secret");
  expect(output.text).toMatch(/^CI=1$/m);
  expect(output.text).toMatch(/^PAGER=cat$/m);
});

test.each([
  [["croft-no-such-program"], `There is no program "croft-no-such-program".`, /^It was looked for in PATH: \//],
  [["./absent.sh"], `There is no program "./absent.sh".`, /^It was looked for relative to cwd\.$/],
  [["./plain.txt"], "./plain.txt is not executable.", /interpreter/],
  [["./folder"], `There is no program "./folder".`, /cwd/],
  [[""], `There is no program "".`, /PATH/],
  [[], "The command is empty.", /Name a program/],
])("no program: %j", async (argv, message, remedy) => {
  writeFileSync(join(bench.root, "plain.txt"), "text");
  mkdirSync(join(bench.root, "folder"));
  await expect(bench.run(argv)).rejects.toMatchObject({
    code: "E_NO_PROGRAM",
    message,
    remedy: expect.stringMatching(remedy),
  });
});

test("a program of the project is named relative to the folder", async () => {
  mkdirSync(join(bench.root, "sub"));
  writeFileSync(join(bench.root, "run.sh"), "#!/bin/sh\necho ran in $PWD with $0\n");
  chmodSync(join(bench.root, "run.sh"), 0o755);
  expect(await bench.run(["../run.sh"], "sub")).toEqual({
    ...plainEnd,
    ...text(`ran in ${join(bench.root, "sub")} with ../run.sh\n`),
  });
});

test("what the system refuses to start is told", async () => {
  await expect(bench.run(["echo", "x".repeat(3_000_000)])).rejects.toMatchObject({ code: "E_NOT_STARTED" });
  await expect(bench.run(["echo", "a\0b"])).rejects.toMatchObject({ code: "E_NOT_STARTED" });
});

test("output is handed out as it comes, readable", async () => {
  const pieces: string[] = [];
  let go: () => void = () => undefined;
  const first = new Promise<void>((resolve) => (go = resolve));
  const running = bench.runner.run(
    {
      command: ["bash", "-c", "printf '\\e[1mone\\e[0m\\n'; while ! [ -e go ]; do sleep 0.01; done; echo two"],
      cwd: ".",
      timeoutMs: 30_000,
    },
    (piece) => {
      pieces.push(piece);
      go();
    },
    new AbortController().signal,
  );
  await first;
  expect(pieces).toEqual(["one\n"]);
  writeFileSync(join(bench.root, "go"), "");
  await running;
  expect(pieces).toEqual(["one\n", "two\n"]);
});

test("10 MB of output leave head and tail, and the whole in a file; no pipe is left", async () => {
  const { code, output } = await bench.bash("yes 0123456789 | head -c 11000000");
  expect([code, output.bytes, output.text.length <= 30_000]).toEqual([0, 11_000_000, true]);
  await bench.runner.close();
  const file = output.file ?? "";
  expect(readFileSync(file, "utf8")).toBe("0123456789\n".repeat(1_000_000));
  expect(readdirSync(join(file, ".."))).toEqual([file.split("/").at(-1)]);
});

test("a command that floods is ended by the time like any other", async () => {
  const { timedOut, output } = await bench.bash("yes", 300);
  expect([timedOut, output.text.startsWith("y\ny\n"), output.text.endsWith("y\n")]).toEqual([true, true, true]);
});

test("commands of one session end with it", async () => {
  const running = bench.bash("echo $$ > pid; sleep 300");
  const pid = await pidIn(join(bench.root, "pid"));
  await Promise.all([expect(running).rejects.toMatchObject({ code: "E_CLOSED" }), bench.runner.close()]);
  expect(await gone(pid)).toBe(true);
  await expect(bench.bash("true")).rejects.toMatchObject({ code: "E_CLOSED" });
});

test.each(["SIGTERM", "SIGKILL"] as const)("when croft is ended by %s, so is what it runs", async (signal) => {
  const testing = JSON.stringify(new URL("system/runner.testing.ts", import.meta.url).href);
  const script = `
    import { openBench } from ${testing};
    const bench = openBench();
    process.stdout.write(bench.root);
    await bench.bash("(echo $BASHPID > child; while :; do sleep 0.1; done) & echo $$ > pid; sleep 300");`;
  const croft = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const root = await new Promise<string>((resolve) =>
    croft.stdout.once("data", (data: Buffer) => resolve(data.toString())),
  );
  const pids = [await pidIn(join(root, "pid")), await pidIn(join(root, "child"))];
  croft.kill(signal);
  for (const pid of pids) expect(await gone(pid)).toBe(true);
  rmSync(join(root, ".."), { recursive: true });
});
