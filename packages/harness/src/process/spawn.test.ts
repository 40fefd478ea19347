import { spawnSync } from "node:child_process";
import { getEventListeners } from "node:events";
import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { gone, pidIn as pidFrom, runs } from "./system/processes.testing.ts";
import { startProgram, type Child } from "./spawn.ts";

let folder: string;
const never = new AbortController().signal;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "croft-spawn-")));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function shell(script: string, signal: AbortSignal = never): Promise<Child> {
  return startProgram({ argv: ["/bin/sh", "-c", script], cwd: folder, env: { GIVEN: "yes" } }, signal);
}

async function text(child: Child): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of child.output) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** The process id that a script writes to a file of the folder. */
function pidIn(file: string): Promise<number> {
  return pidFrom(join(folder, file));
}

test("a child gets its argv, its folder and no environment but what it is given", async () => {
  await using child = await startProgram(
    {
      argv: [process.execPath, "-p", "JSON.stringify([process.argv[1], process.env, process.cwd()])", "$HOME `x`"],
      cwd: folder,
      env: { A: "1" },
    },
    never,
  );
  expect(JSON.parse(await text(child))).toEqual(["$HOME `x`", { A: "1" }, folder]);
  expect(await child.exit).toEqual({ code: 0, signal: null, tail: "" });
});

test("stdin is closed", async () => {
  await using child = await shell("cat; echo done");
  expect(await text(child)).toBe("done\n");
});

test("the exit tells the code and the end of stderr, however much was written", async () => {
  await using child = await shell(
    "i=0; while [ $i -lt 3000 ]; do echo 0123456789 >&2; i=$((i+1)); done; echo last >&2; exit 3",
  );
  const exit = await child.exit;
  expect([exit.code, exit.tail.length, exit.tail.endsWith("0123456789\nlast\n")]).toEqual([3, 16_384, true]);
});

test("stderr can be read in place of stdout, of which only the end is kept then", async () => {
  const argv = ["/bin/sh", "-c", "yes | head -c 1000000 >/dev/null; echo problem >&2; echo the end"] as const;
  await using child = await startProgram(
    { argv: [...argv], cwd: folder, env: { PATH: "/bin:/usr/bin" }, read: "stderr" },
    never,
  );
  expect(await text(child)).toBe("problem\n");
  expect(await child.exit).toEqual({ code: 0, signal: null, tail: "the end\n" });
});

test("a program that is not there fails with a code, and one named without its folder is not looked for", async () => {
  const program = { cwd: folder, env: {} };
  await using child = await startProgram({ ...program, argv: [join(folder, "absent")] }, never);
  await expect(child.exit).rejects.toMatchObject({ code: "E_NOT_STARTED" });
  await expect(startProgram({ ...program, argv: ["sh"] }, never)).rejects.toMatchObject({ code: "E_NOT_STARTED" });
});

test("a slow reader makes the child wait", async () => {
  await using child = await shell("echo $$ > pid; yes | head -c 50000000; echo > finished");
  const pid = await pidIn("pid");
  const reader = child.output[Symbol.asyncIterator]();
  await reader.next();
  await sleep(200);
  expect([runs(pid), existsInFolder("finished")]).toEqual([true, false]);
});

function existsInFolder(file: string): boolean {
  try {
    readFileSync(join(folder, file));
    return true;
  } catch {
    return false;
  }
}

test("disposing ends the child and what it started, unread output or not", async () => {
  const child = await shell("sleep 600 & echo $! > grandchild; echo $$ > pid; yes");
  const pids = [await pidIn("pid"), await pidIn("grandchild")];
  await child[Symbol.asyncDispose]();
  expect(await Promise.all(pids.map(gone))).toEqual([true, true]);
  expect((await child.exit).signal).toBe("SIGTERM");
});

test("aborting ends the child, and one that ignores the request is killed", async () => {
  const abort = new AbortController();
  await using child = await shell("trap '' TERM; echo $$ > pid; while :; do sleep 0.05; done", abort.signal);
  const pid = await pidIn("pid");
  abort.abort();
  expect((await child.exit).signal).toBe("SIGKILL");
  expect(runs(pid)).toBe(false);
});

test("a signal that was aborted before leaves nothing running", async () => {
  const abort = new AbortController();
  abort.abort();
  await using child = await shell("exec sleep 600", abort.signal);
  expect((await child.exit).signal).toBe("SIGTERM");
});

test("what a child leaves behind does not outlive it, nor hold up its exit", async () => {
  await using child = await shell("sleep 600 & echo $! > grandchild; exit 0");
  expect((await child.exit).code).toBe(0);
  expect(await gone(await pidIn("grandchild"))).toBe(true);
});

test("a listener on a long-lived signal goes with its child", async () => {
  const abort = new AbortController();
  await using child = await shell("exit 0", abort.signal);
  await child.exit;
  await sleep(0);
  expect(getEventListeners(abort.signal, "abort")).toEqual([]);
});

test.runIf(process.platform !== "win32")(
  "where no descriptor is left a program is not started, and that is said",
  () => {
    const script = `
    import { openSync } from "node:fs";
    import { startProgram } from ${JSON.stringify(new URL("spawn.ts", import.meta.url).href)};
    try { for (;;) openSync("/dev/null"); } catch {}
    try {
      await startProgram({ argv: ["/bin/true"], cwd: "/", env: {} }, new AbortController().signal);
    } catch (error) {
      process.stdout.write(error.code);
    }`;
    const limited = ["-c", 'ulimit -n 64 && exec "$@"', "sh", process.execPath, "--input-type=module", "-e", script];
    expect(spawnSync("/bin/sh", limited, { encoding: "utf8" })).toMatchObject({ status: 0, stdout: "E_NOT_STARTED" });
  },
);
