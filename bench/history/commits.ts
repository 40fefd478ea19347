/** The history of a clone: which files its commits modified, and their bytes before and after. */

import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";

/** A file as a commit found it and as it left it, and as it was several changes before; by the ids of git. */
export type Modified = { commit: string; path: string; before: string; after: string; older?: string | undefined };

/** So many changes of a file lie between it and what is taken for an older one. */
const age = 4;

/** Nothing that the configuration of a clone names is run. */
const hardened = [
  "-c",
  "core.fsmonitor=false",
  "-c",
  "core.hooksPath=/dev/null",
  "-c",
  "core.attributesFile=/dev/null",
];
const plainDiff = ["--no-ext-diff", "--no-textconv", "--no-color", "--no-renames"];
const maxOutput = 1 << 30;

/**
 * So many modified regular files, evenly spread over the history of a clone, the newest first. Merges are left out.
 */
export function modifiedFiles(clone: string, wanted: number): Modified[] {
  const log = git(clone, [
    "log",
    "--no-merges",
    "--diff-filter=M",
    "--raw",
    "--no-abbrev",
    "-z",
    ...plainDiff,
    "--format=%H",
  ]);
  const all: Modified[] = [];
  let commit = "";
  const fields = log.toString("latin1").split("\0");
  for (let at = 0; at < fields.length; at++) {
    const field = (fields[at] ?? "").trim();
    if (/^[0-9a-f]{40,64}$/.test(field)) commit = field;
    const modes = /^:100(?:644|755) 100(?:644|755) ([0-9a-f]+) ([0-9a-f]+) M$/.exec(field);
    if (!field.startsWith(":")) continue;
    at += 1;
    const [, before = "", after = ""] = modes ?? [];
    if (before !== "") all.push({ commit, path: fields[at] ?? "", before, after });
  }
  const versions = Map.groupBy(all, ({ path }) => path);
  for (const changes of versions.values()) {
    for (const [index, change] of changes.entries()) change.older = changes[index + age]?.before;
  }
  const step = Math.max(1, all.length / wanted);
  return Array.from({ length: Math.min(wanted, all.length) }, (_, index) => all[Math.floor(index * step)]).filter(
    (file) => file !== undefined,
  );
}

/** What git says is the difference of two blobs, from the first hunk on. */
export function hunksOfGit(clone: string, { before, after }: Modified): Buffer {
  const diff = git(clone, ["diff", "--text", "-U3", ...plainDiff, before, after]);
  return diff.subarray(diff.indexOf("@@ "));
}

/** Reads blobs one after another from a single process. Dispose it to end the process. */
export type Blobs = {
  /** Undefined: the clone does not have it. */
  read(id: string): Promise<Buffer | undefined>;
} & AsyncDisposable;

export function openBlobs(clone: string): Blobs {
  const child = spawn("git", [...hardened, "-C", clone, "cat-file", "--batch"], { stdio: ["pipe", "pipe", "inherit"] });
  const ended = once(child, "close");
  let waiting: Buffer = Buffer.alloc(0);
  const chunks = child.stdout[Symbol.asyncIterator]();
  const more = async (): Promise<void> => {
    const { value, done } = await chunks.next();
    if (done === true) throw new Error(`git cat-file has ended in ${clone}.`);
    waiting = Buffer.concat([waiting, value]);
  };
  return {
    async read(id) {
      child.stdin.write(`${id}\n`);
      while (!waiting.includes("\n")) await more();
      const line = waiting.subarray(0, waiting.indexOf("\n")).toString();
      const start = Buffer.byteLength(line) + 1;
      const size = Number(/ blob (\d+)$/.exec(line)?.[1] ?? Number.NaN);
      if (Number.isNaN(size)) {
        waiting = waiting.subarray(start);
        return undefined;
      }
      while (waiting.length < start + size + 1) await more();
      const blob = Buffer.from(waiting.subarray(start, start + size));
      waiting = waiting.subarray(start + size + 1);
      return blob;
    },
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      await ended;
    },
  };
}

function git(clone: string, args: readonly string[]): Buffer {
  const { status, stdout, stderr } = spawnSync("git", [...hardened, "-C", clone, ...args], { maxBuffer: maxOutput });
  if (status !== 0) throw new Error(`git ${args[0]} in ${clone}: ${stderr.toString()}`);
  return stdout;
}
