/** Who wrote something, and whether that process still runs: a process id alone may long be another's. */

import { readFileSync, readlinkSync } from "node:fs";
import { crc32 } from "node:zlib";
import { fieldsOf, numberIn, textIn } from "../../json.ts";

/** `started` and `space` (boot and namespace, within which the id counts) are empty where the system does not tell. */
export type Owner = { pid: number; started: string; space: string };

/** This process. */
export function thisProcess(): Owner {
  return { pid: process.pid, started: startOf(process.pid), space: spaceOf() };
}

/** What was written down of an owner; undefined where that is none. */
export function ownerIn(value: unknown): Owner | undefined {
  const fields = fieldsOf(value);
  const pid = numberIn(fields, "pid");
  if (pid === undefined || !Number.isSafeInteger(pid) || pid <= 0) return undefined;
  return { pid, started: textIn(fields, "started"), space: textIn(fields, "space") };
}

/** A process of another boot is gone; one of another container cannot be seen, and counts as gone. */
export function isAlive(owner: Owner): boolean {
  if (owner.space !== spaceOf()) return false;
  try {
    process.kill(owner.pid, 0);
  } catch (thrown) {
    if (!(thrown instanceof Error && "code" in thrown && thrown.code === "EPERM")) return false;
  }
  return owner.started === startOf(owner.pid);
}

/** Clock ticks from the boot to the start of a process: the 22nd field, counted behind the name in parentheses. */
function startOf(pid: number): string {
  const stat = read(() => readFileSync(`/proc/${pid}/stat`, "latin1"));
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
}

/** This process as a part of a file name, another one at each call. */
export function processName(): string {
  const { pid, started, space } = thisProcess();
  const some = Math.floor(Math.random() * 2 ** 32); // no secret: not worth the loading of node:crypto
  return [pid, started, short(space), some.toString(16).padStart(8, "0")].join("-");
}

/** Whether a name given by `processName` is that of a process that is gone; what is no such name is not. */
export function isLeftProcess(name: string): boolean {
  const named = partsOf(name);
  return named !== undefined && (named.space !== short(spaceOf()) || isGone(named));
}

/** The same where containers may share a folder: of another boot or container nothing is known, so it is not said. */
export function isLeftHere(name: string): boolean {
  const named = partsOf(name);
  return named !== undefined && named.space === short(spaceOf()) && isGone(named);
}

function partsOf(name: string): { pid: number; started: string; space: string } | undefined {
  const [, pid = "", started = "", space = ""] = /^(\d+)-(\d*)-([0-9a-f]{8})-[0-9a-f]{8}$/.exec(name) ?? [];
  return pid === "" ? undefined : { pid: Number(pid), started, space };
}

function isGone({ pid, started }: { pid: number; started: string }): boolean {
  return !isAlive({ pid, started, space: spaceOf() });
}

function short(space: string): string {
  return crc32(space).toString(16).padStart(8, "0");
}

function spaceOf(): string {
  const boot = read(() => readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim());
  const namespace = read(() => readlinkSync("/proc/self/ns/pid", "latin1"));
  return `${boot} ${namespace}`.trim();
}

function read(look: () => string): string {
  try {
    return look();
  } catch {
    return "";
  }
}
