import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { isLocked, lockSession } from "./lock.ts";

let folder = "";
let log = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "croft-lock-"));
  log = join(folder, "s.jsonl");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const lockModule = new URL("lock.ts", import.meta.url).href;

/** A process that tries to hold the session, says whether it does, and then waits. */
function rival(): { said: Promise<string>; kill: () => Promise<void> } {
  const code = `const { lockSession } = await import(${JSON.stringify(lockModule)});
    try { lockSession(${JSON.stringify(log)}); console.log("holds"); } catch (error) { console.log(error.code); }
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", code], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const said = new Promise<string>((resolve) => child.stdout.once("data", (data) => resolve(String(data).trim())));
  const gone = new Promise<void>((resolve) => child.once("close", () => resolve()));
  return {
    said,
    kill: async () => {
      child.kill("SIGKILL");
      await gone;
    },
  };
}

test("one process holds a session; when it is killed, the next one does", async () => {
  const first = rival();
  expect(await first.said).toBe("holds");
  expect(isLocked(log)).toBe(true);
  expect(() => lockSession(log)).toThrow(expect.objectContaining({ code: "E_SESSION_BUSY" }));
  expect(await rival().said).toBe("E_SESSION_BUSY");
  await first.kill();
  expect(isLocked(log)).toBe(false);
  lockSession(log)[Symbol.dispose]();
  expect(readdirSync(folder)).toEqual([]);
});

test("of many that begin at the same moment never two hold it", async () => {
  const said = await Promise.all(Array.from({ length: 6 }, () => rival().said));
  expect(said.filter((word) => word === "holds").length).toBeLessThanOrEqual(1);
  expect(new Set(said.filter((word) => word !== "holds"))).toEqual(new Set(["E_SESSION_BUSY"]));
});

test("a process id that another process has now, or that of another boot, holds nothing", () => {
  mkdirSync(`${log}.lock`);
  writeFileSync(join(`${log}.lock`, `${process.pid}-1-00000000-00000000`), "");
  const held = lockSession(log);
  expect(readdirSync(`${log}.lock`)).toHaveLength(1);
  held[Symbol.dispose]();
  held[Symbol.dispose]();
  expect(existsSync(`${log}.lock`)).toBe(false);
});

test("where nothing can be made beside the log that is said", () => {
  writeFileSync(join(folder, "file"), "");
  expect(() => lockSession(join(folder, "file", "s.jsonl"))).toThrow(
    expect.objectContaining({ code: "E_LOG_UNWRITABLE", remedy: expect.any(String) }),
  );
});
