import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runningProcesses } from "./system/table.ts";
import { openUserShell, type UserShell } from "./user-shell.ts";

const never = new AbortController().signal;

type Rig = { root: string; folder: string; shell: UserShell };

function rig(environment: Readonly<Record<string, string | undefined>> = {}): Rig {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "croft-user-shell-")));
  const [root, folder] = [join(base, "project"), join(base, "state")];
  for (const place of [root, folder]) mkdirSync(place, { mode: 0o700 });
  const given = { PATH: process.env["PATH"], SHELL: "/bin/bash", ...environment };
  const shell = openUserShell({ root, environment: given, folder });
  onTestFinished(async () => {
    await shell.close();
    expect(readdirSync(folder)).toEqual([]);
    rmSync(base, { recursive: true });
  });
  return { root, folder, shell };
}

test("a line runs in the user's shell, in the project, with their environment, and is shown as it comes", async () => {
  const { root, shell } = rig({ SECRET_OF_MINE: "abc", GONE: undefined });
  const seen: string[] = [];
  const line = 'echo "$SECRET_OF_MINE $BASH $PWD"; echo err >&2; cat; touch made; exit 3';
  const ran = await shell.run(line, (text) => seen.push(text), never);
  const output = `abc /bin/bash ${root}\nerr\n`;
  expect(ran).toEqual({ command: line, code: 3, signal: null, left: 0, output, cancelled: false });
  expect(seen.join("")).toBe(output);
  expect(existsSync(join(root, "made"))).toBe(true);
});

test("without a shell that can be named it is /bin/sh; one that is not there is told", async () => {
  const { shell } = rig({ SHELL: "bash" });
  expect(await shell.run("echo $0", () => undefined, never)).toMatchObject({ output: "/bin/sh\n" });
  const other = rig({ SHELL: "/none" });
  await expect(other.shell.run("true", () => undefined, never)).rejects.toMatchObject({ code: "E_NOT_STARTED" });
});

test("cancelled, it is ended with all that it started, and what it said until then is kept", async () => {
  const { shell, root } = rig();
  const cancel = new AbortController();
  const line = `echo begun; ${join(root, "slow")} & ${join(root, "slow")}`;
  writeFileSync(join(root, "slow"), "#!/bin/sh\nexec sleep 60 # croft\n", { mode: 0o755 });
  const ran = await shell.run(line, () => cancel.abort(), cancel.signal);
  expect(ran).toMatchObject({ code: null, signal: "SIGTERM", output: "begun\n", cancelled: true });
  expect(stillThere(root)).toEqual([]);
});

test("what it leaves behind is ended and counted", async () => {
  const { shell, root } = rig();
  const ran = await shell.run("(setsid sleep 60 &) ; sleep 0.2; echo done", () => undefined, never);
  expect(ran).toMatchObject({ code: 0, left: 1, output: "done\n" });
  expect(stillThere(root)).toEqual([]);
});

test("of a long output an excerpt is kept, and nothing on disk", async () => {
  const { shell } = rig();
  const { output } = await shell.run("seq 200000", () => undefined, never);
  expect(output.length).toBeLessThan(100_000);
  expect([output.startsWith("1\n2\n"), output.endsWith("199999\n200000\n")]).toEqual([true, true]);
});

test("closing ends what runs", async () => {
  const { shell, root } = rig();
  const begun = Promise.withResolvers<void>();
  const ran = shell.run("echo begun; sleep 60", () => begun.resolve(), never);
  await begun.promise;
  await shell.close();
  expect(await ran).toMatchObject({ cancelled: true });
  expect(stillThere(root)).toEqual([]);
});

/** Processes that work in a folder. */
function stillThere(folder: string): number[] {
  const inside = (pid: number): boolean => {
    try {
      return readlinkSync(`/proc/${pid}/cwd`) === folder;
    } catch {
      return false;
    }
  };
  return runningProcesses()
    .map(({ pid }) => pid)
    .filter(inside);
}
