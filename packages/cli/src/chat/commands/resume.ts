import type { SessionSummary } from "@croft/harness";
import { listedSessions } from "../../session/listed-sessions.ts";
import { sessionNamed, sessionsFolder } from "../../session/find-session.ts";
import { shortRunId } from "../../config/trace.ts";
import { minute } from "../../ui/numbers.ts";
import { plural } from "../../ui/plural.ts";
import type { Command, Talk } from "../talk.ts";

/** Sessions that are offered. */
const most = 20;
/** Characters of a task. */
const taskWidth = 60;

export const resume: Command = {
  name: "resume",
  takes: "[id]",
  help: "go on with another session of this project",
  async run(talk, rest, signal) {
    const file =
      rest === "" ? await chosen(talk, signal) : sessionNamed(rest, await sessionsFolder(talk.io, talk.root));
    if (file !== undefined) await talk.begin({ kind: "resume", file });
  },
  async arguments(talk) {
    const summaries = await others(talk);
    return summaries.map((one) => ({ value: shortRunId(one.id), note: noteOf(one) }));
  },
};

async function chosen(talk: Talk, signal: AbortSignal): Promise<string | undefined> {
  const items = (await others(talk)).map((one) => ({ value: one.file, label: labelOf(one), note: noteOf(one) }));
  if (items.length > 0) return talk.screen.choose({ title: "Go on with which session?", items }, signal);
  talk.screen.tell("There is no other session in this project.");
  return undefined;
}

async function others({ io, root, current }: Talk): Promise<SessionSummary[]> {
  const found: SessionSummary[] = [];
  for await (const one of listedSessions(await sessionsFolder(io, root), { root, limit: most + 1 })) {
    if (one.id !== current.session.id) found.push(one);
  }
  return found.slice(0, most);
}

function labelOf({ task }: SessionSummary): string {
  return task.length > taskWidth ? `${task.slice(0, taskWidth)}…` : task;
}

function noteOf({ at, turns, status }: SessionSummary): string {
  return `${minute(at)}, ${plural(turns, "turn")}, ${status}`;
}
