/** Configuration files on disk: small, plain, and of somebody who may say what croft does. */

import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, type Stats } from "node:fs";
import { dirname, join } from "node:path";
import { UsageError } from "../usage.ts";
import type { Problem } from "./jsonc.ts";
import type { Layer } from "./settings.ts";

export type ConfigFile = Layer & {
  path: string;
  /** SHA-256 of its bytes, hex. */
  hash: string;
};

/** Bytes. */
const sizeMost = 65_536;
/** Problems that are told at a time. */
const told = 5;

/** Where the user's own file is; undefined where no home is known. */
export function userConfigPath(configHome: string | undefined): string | undefined {
  return configHome === undefined ? undefined : join(configHome, "croft", "config.jsonc");
}

export function projectConfigPath(root: string): string {
  return join(root, ".croft", "config.jsonc");
}

/**
 * The user's file, or undefined where there is none; it may be a link. `name` is what people call it. Throws UsageError
 * E_CONFIG.
 */
export async function readUserConfig(path: string, name: string): Promise<ConfigFile | undefined> {
  return parsed(path, name, readSmall(path, name, { links: true, owners: ownersOf([]) }), "Correct it.");
}

/**
 * A project's file, or undefined where there is none. Neither it nor its folder may be a link, and it must belong to
 * this user, to root, or to the owner of the project. What it forbids must hold, so one that cannot be taken is an
 * error, never ignored. Throws UsageError E_CONFIG.
 */
export async function readProjectConfig(root: string): Promise<ConfigFile | undefined> {
  const path = projectConfigPath(root);
  const name = ".croft/config.jsonc";
  const leaveOut = "Correct it, or leave it out with --no-project-config.";
  const folder = lstatSync(dirname(path), { throwIfNoEntry: false });
  if (folder === undefined) return undefined;
  if (folder.isSymbolicLink()) throw unfit(name, "stands behind a link, which is not followed", leaveOut);
  const owners = ownersOf([lstatSync(root).uid]);
  return parsed(path, name, readSmall(path, name, { links: false, owners }), leaveOut);
}

async function parsed(
  path: string,
  name: string,
  bytes: Buffer | undefined,
  remedy: string,
): Promise<ConfigFile | undefined> {
  if (bytes === undefined) return undefined;
  const { hashOf, readConfig } = await import("./read.ts"); // most runs read no file
  const read = readConfig(decoded(bytes, name, remedy));
  if ("problems" in read) throw new UsageError("E_CONFIG", listed(read.problems, name), remedy);
  return {
    path,
    config: read.config,
    from: (at) => `${name}:${read.positionOf(at).line}`,
    hash: hashOf(bytes),
  };
}

function decoded(bytes: Buffer, name: string, remedy: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw unfit(name, "is not UTF-8", remedy);
  }
}

function listed(problems: readonly Problem[], name: string): string {
  const lines = problems.slice(0, told).map(({ line, column, message }) => `${name}:${line}:${column}: ${message}`);
  const rest = problems.length - lines.length;
  return rest > 0 ? `${lines.join(" ")} And ${rest} more.` : lines.join(" ");
}

type Demands = { links: boolean; owners: ReadonlySet<number> | undefined };

/**
 * The bytes of a file; undefined where there is none. What it is, is asked of what was opened, and nothing else is
 * read.
 */
function readSmall(path: string, name: string, { links, owners }: Demands): Buffer | undefined {
  const remedy = `Make it a plain file of yours, smaller than ${sizeMost / 1024} KB.`;
  const descriptor = open(path, name, links, remedy);
  if (descriptor === undefined) return undefined;
  try {
    const found: Stats = fstatSync(descriptor);
    if (!found.isFile()) throw unfit(name, "is no file", remedy);
    if (owners !== undefined && !owners.has(found.uid)) throw unfit(name, "belongs to another user", remedy);
    const bytes = Buffer.alloc(sizeMost + 1);
    let size = 0;
    for (let count = -1; count !== 0 && size < bytes.length; size += count) {
      count = readSync(descriptor, bytes, { offset: size });
    }
    if (size > sizeMost) throw unfit(name, `is larger than ${sizeMost / 1024} KB`, remedy);
    return bytes.subarray(0, size);
  } finally {
    closeSync(descriptor);
  }
}

function open(path: string, name: string, links: boolean, remedy: string): number | undefined {
  // Non-blocking: opening a FIFO must not wait for somebody to write.
  const flags = constants.O_RDONLY | constants.O_NONBLOCK | (links ? 0 : constants.O_NOFOLLOW);
  try {
    return openSync(path, flags);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    if (code === "ELOOP" && !links) throw unfit(name, "is a link, which is not followed", remedy);
    throw unfit(name, `cannot be read (${String(code)})`, remedy);
  }
}

/** This user, root and others; undefined where the system knows no owners. */
function ownersOf(others: readonly number[]): ReadonlySet<number> | undefined {
  return process.getuid === undefined ? undefined : new Set([process.getuid(), 0, ...others]);
}

function unfit(name: string, problem: string, remedy: string): UsageError {
  return new UsageError("E_CONFIG", `${name} ${problem}.`, remedy);
}
