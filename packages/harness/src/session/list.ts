/** The sessions in a folder, told from their files alone. */

import { readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import type { Event, Status } from "../event.ts";
import { parseJson } from "../json.ts";
import { unseal } from "../seal.ts";
import { ifReachable } from "../workspace/place/system.ts";
import { linesBackwards, linesOf, typeOf } from "./lines.ts";
import { isLocked } from "./lock.ts";
import type { IsServable } from "./served.ts";
import { createCount } from "./spent.ts";

export type SessionSummary = {
  /** The name of its file, without the ending. */
  id: string;
  file: string;
  /** Of the last event, in milliseconds since 1970. */
  at: number;
  bytes: number;
  root: string;
  /** The first line of the first task. */
  task: string;
  model: string;
  turns: number;
  /** undefined: a model had no price. */
  dollars: number | undefined;
  /** Of the last turn. running: a croft is at work in it. interrupted: croft was ended in it. */
  status: Status | "running" | "interrupted";
  /** The session it was forked from. */
  from?: string | undefined;
};

export type SessionsWanted = {
  /** Only sessions in this project. */
  root?: string | undefined;
  /** So many at most. Default: all. */
  limit?: number | undefined;
};

type Start = Extract<Event, { type: "start" }>;

const ending = ".jsonl";
/** Lines before which the first turn begins; a file without one is no session. */
const linesBefore = 100;
/** Bytes of a file that are read at once: most hold what is looked for in so many at either end. */
const piece = 64 * 1024;

/**
 * The sessions in a folder, the last used first. Read is no more than it must be: of other projects' sessions the first
 * lines, of the others the last turn as well, and only until there are enough. Files that are no sessions
 * are left out; a folder that is not there holds none.
 */
export async function* sessionsIn(
  folder: string,
  { root, limit = Infinity }: SessionsWanted = {},
): AsyncGenerator<SessionSummary> {
  let found = 0;
  for (const { file } of filesIn(folder)) {
    if (found >= limit) return;
    const summary = await summaryOf(file, root).catch(() => undefined);
    if (summary === undefined) continue;
    found += 1;
    yield summary;
  }
}

/** What can be told of one session; undefined where it is none, or not of this project. Throws E_LOG_UNREADABLE. */
async function summaryOf(file: string, root?: string): Promise<SessionSummary | undefined> {
  const { isServable } = await import("./served.ts");
  const first = await firstStart(file, isServable);
  if (first === undefined || (root !== undefined && first.root !== root)) return undefined;
  const told = await lastTurns(file, isServable);
  const count = createCount(told[0]?.type === "start" ? told[0].earlier : undefined);
  let { model } = first;
  let status: SessionSummary["status"] = "interrupted";
  for (const event of told) {
    count.take(event);
    if (event.type === "start") [model, status] = [event.model, "interrupted"];
    if (event.type === "stop") status = event.status;
  }
  const { mtimeMs, size } = statSync(file);
  const id = basename(file, ending);
  return {
    id,
    file,
    at: mtimeMs,
    bytes: size,
    root: first.root,
    task: first.task.split("\n", 1)[0] ?? "",
    model,
    ...count.spent,
    status: status === "interrupted" && isLocked(file) ? "running" : status,
    ...(first.session !== id && { from: first.session }),
  };
}

async function firstStart(file: string, isServable: IsServable): Promise<Start | undefined> {
  let lines = 0;
  for await (const { bytes } of linesOf(file, piece)) {
    const event = eventOn(bytes, isServable);
    if (event?.type === "start") return event;
    lines += 1;
    if (lines > linesBefore) return undefined;
  }
  return undefined;
}

/** What tells of cost and end from the last start on that says what was before it: in most files that of the last turn. */
async function lastTurns(file: string, isServable: IsServable): Promise<Event[]> {
  const events: Event[] = [];
  for await (const { bytes } of linesBackwards(file, piece)) {
    const event = eventOn(bytes, isServable);
    if (event !== undefined) events.push(event);
    if (event?.type === "start" && event.earlier !== undefined) break;
  }
  return events.toReversed();
}

function filesIn(folder: string): { file: string; at: number }[] {
  return namesIn(folder)
    .filter((name) => name.endsWith(ending))
    .flatMap((name) => {
      const file = join(folder, name);
      const stats = ifReachable(() => statSync(file)); // a link may lead in a circle
      return stats?.isFile() === true ? [{ file, at: stats.mtimeMs }] : [];
    })
    .toSorted((one, other) => other.at - one.at || (one.file < other.file ? 1 : -1));
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** The events that a summary is made of; all others are passed over unread. */
const telling: ReadonlySet<string | undefined> = new Set(["start", "step", "compaction", "explored", "stop"]);

function eventOn(bytes: Buffer | undefined, isServable: IsServable): Event | undefined {
  if (bytes === undefined || !telling.has(typeOf(bytes))) return undefined;
  try {
    const value: unknown = parseJson(unseal(bytes.toString("utf8")).json);
    return isEvent(value) && isServable(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isEvent(value: unknown): value is Event {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}
