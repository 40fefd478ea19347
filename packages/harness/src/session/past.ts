/** What a session was so far: what its log folds to, and what it goes on from. */

import { Failure } from "../error.ts";
import type { Event, Setup, Status } from "../event.ts";
import type { Landed } from "../workspace/change.ts";
import type { Shown } from "../workspace/ledger.ts";
import type { Message } from "../message.ts";
import { createFold, type Earlier } from "./fold.ts";
import type { IsServable } from "./served.ts";
import { messagesOf, skimLog, type Place, type Places, type SkimmedLine } from "./skim.ts";

/** What one result told a ledger. */
export type Learned = { landed?: readonly Landed[] | undefined; shown?: readonly Shown[] | undefined };

export type Past = Required<Earlier> & {
  /** The id under which it began: of a fork, that of the session it was taken from. */
  origin: string;
  root: string;
  /** Of the last turn. */
  model: string;
  /** Of the last turn; undefined where it was not recorded. */
  setup: Setup | undefined;
  learned: readonly Learned[];
  /** The last ones of these: what was told before them has given way to notes. */
  recent: readonly Learned[];
  /** Of the last turn. interrupted: croft was ended in it. */
  status: Status | "interrupted";
  /** What was amiss and what became of it, in sentences for people. */
  repairs: readonly string[];
};

type Start = Extract<Event, { type: "start" }>;

/** What a session is folded from. */
const wanted: ReadonlySet<string> = new Set([
  "start",
  "attachment",
  "message",
  "step",
  "compaction",
  "explored",
  "tool_call",
  "tool_result",
  "rejected",
  "stop",
]);
/** So many bad lines are named. */
const mostNamed = 5;

/**
 * Folds a log line by line; one that cannot be read hides no other. The words of a message are read only once it is
 * clear that it is still part of the session. Throws Failure:
 * E_LOG_UNREADABLE, E_NEWER_LOG, E_NOT_A_SESSION for a file without a turn.
 */
export async function readPast(file: string): Promise<Past> {
  const { isServable } = await import("./served.ts");
  const reading = createReading();
  for await (const line of skimLog(file, wanted, isServable)) reading.take(line);
  const outline = reading.result();
  if (outline !== undefined) return whole(file, outline, isServable);
  throw new Failure("E_NOT_A_SESSION", `${file} is no session: there is no turn in it.`, {
    remedy: "See croft sessions for those that can be gone on with.",
  });
}

/** A past whose messages are outlines where they have a place in the log. `unreadable`, `altered`: lines. */
type Outline = Omit<Past, "repairs"> & {
  places: Places;
  unreadable: readonly number[];
  altered: readonly number[];
  open: readonly string[];
};

function createReading(): { take(line: SkimmedLine): void; result(): Outline | undefined } {
  const fold = createFold();
  const places = new WeakMap<Message, Place>();
  const learned: Learned[] = [];
  let recentFrom = 0;
  const unreadable: number[] = [];
  const altered: number[] = [];
  let first: Start | undefined;
  let last: Start | undefined;
  /** Of the turn whose request was counted last. */
  let countedIn: Start | undefined;
  let isSealed = false;
  let status: Past["status"] = "interrupted";

  return {
    take({ place, event, altered: isAltered, sealed }) {
      if (place.line === 1) isSealed = sealed === true;
      if (event === undefined) {
        unreadable.push(place.line);
        return;
      }
      if (isAltered === true) altered.push(place.line);
      if (event.type === "start") {
        first ??= event;
        last = event;
        status = "interrupted";
      }
      if (event.type === "stop") status = event.status;
      if (event.type === "compaction" && event.replaced !== undefined) recentFrom = learned.length;
      if (event.type === "tool_result" || event.type === "attachment") learned.push(...learnedFrom(event));
      if (event.type === "message") places.set(event.message, place);
      const before = fold.counted;
      fold.take(event);
      if (fold.counted !== before) countedIn = last;
    },
    result() {
      if (first === undefined || last === undefined) return undefined;
      const open = fold.answerOpenCalls();
      const isWhole = isSealed && unreadable.length + altered.length === 0;
      const counted = isWhole && countedIn !== undefined && asksTheSame(countedIn, last) ? fold.counted : undefined;
      const { messages, rejected, spent, used, offered, todos } = fold;
      const { root, model, setup } = last;
      const recent = learned.slice(recentFrom);
      const said = { messages, counted, rejected, spent, used, offered, todos };
      const past = { root, model, setup, ...said, learned, recent, status };
      return { ...past, origin: first.session, places, unreadable, altered, open };
    },
  };
}

/** Whether a count made in one turn says something of the prompts of another. */
function asksTheSame(one: Start, other: Start): boolean {
  const asked = ({ model, setup }: Start): string => JSON.stringify([model, setup?.system, setup?.tools]);
  return asked(one) === asked(other);
}

/** The past of which this is the outline, and what is to be said of it. */
async function whole(file: string, outline: Outline, isServable: IsServable): Promise<Past> {
  const { places, unreadable, altered, open, ...past } = outline;
  const { messages, unserved } = await messagesOf(file, past.messages, places, isServable);
  const repairs = [
    ...named(
      [...unreadable, ...unserved].toSorted((one, other) => one - other),
      "cannot be read: left out",
    ),
    ...named(altered, "changed after being written: taken as it is now"),
    ...(past.status === "interrupted" ? [endedIn(open)] : []),
  ];
  const counted = unserved.length === 0 ? past.counted : undefined;
  return { ...past, messages, counted, repairs };
}

function learnedFrom({ shown, landed }: Learned): Learned[] {
  return shown === undefined && landed === undefined ? [] : [{ shown, landed }];
}

function endedIn(calls: readonly string[]): string {
  const what = calls.length === 0 ? "the last turn" : `a call of ${calls.join(" and ")}`;
  return `croft was ended in ${what}; the model is told how far it had come.`;
}

function named(lines: readonly number[], what: string): string[] {
  if (lines.length === 0) return [];
  const some = lines.slice(0, mostNamed).join(", ");
  const more = lines.length > mostNamed ? `, and ${lines.length - mostNamed} more` : "";
  return [`${lines.length === 1 ? "Line" : "Lines"} ${some}${more} of the log ${what}.`];
}
