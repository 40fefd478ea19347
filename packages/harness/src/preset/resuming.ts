/** A session that goes on: what the doors, the model and the person are told of what was before. */

import type { AgentOptions, Attach, Attachment } from "../agent/agent.ts";
import { requestFor } from "../agent/request.ts";
import { markOf } from "../agent/rejected.ts";
import { firstDifference } from "../first-difference.ts";
import type { Event, Setup } from "../event.ts";
import { fromHarness } from "../message.ts";
import type { CountedPrompt } from "../model/prompt-bound.ts";
import type { Learned, Past } from "../session/past.ts";
import type { Hash } from "../workspace/fence.ts";
import type { HashNow } from "../workspace/hashes.ts";
import { specOf } from "../tool/tool.ts";
import { showPath } from "../workspace/text/show-path.ts";

/** Files that were read and are looked at again, the last ones. */
const mostLooked = 500;
/** Files that have changed and are named. */
const mostNamed = 20;

/** What people are told, behind the start of the first turn. */
export function resumedNotices({ spent, repairs }: Past): Event[] {
  const cost = spent.dollars === undefined ? "" : `, $${spent.dollars.toFixed(4)}`;
  const turns = `${spent.turns} ${spent.turns === 1 ? "turn" : "turns"}`;
  return [`The session goes on after ${turns}${cost}.`, ...repairs].map((text) => ({
    type: "notice",
    code: "resumed",
    text,
  }));
}

/**
 * The system prompt a session goes on with: the one it had, for the provider's cache and its checks of thinking hold it
 * to that, as long as the tools are the same. `events`: what is to be recorded where it cannot.
 */
export function frameOf(
  past: Past,
  now: Pick<AgentOptions, "system" | "tools">,
): { system: Setup["system"]; events: Event[] } {
  const { setup } = past;
  const tools = now.tools.map(specOf);
  const same = setup !== undefined && firstDifference(plain(setup.tools), plain(tools)) === undefined;
  if (!same) return { system: now.system, events: withoutThoughts(past) };
  if (firstDifference(plain(setup.system), plain(now.system)) === undefined) return { system: now.system, events: [] };
  const text =
    "The system prompt (croft's own words, or memory files) has changed; this session goes on with its old one.";
  return { system: setup.system, events: [{ type: "notice", code: "frozen", text }] };
}

/**
 * The last prompt that a service counted, as it is made today: as long as nothing of it has changed, the next one is that
 * and what was added. Undefined where it was another one.
 */
export function countedIn(
  past: Past,
  now: Framed & Pick<AgentOptions, "model" | "maxTokens">,
): CountedPrompt | undefined {
  const { counted, messages, rejected, offered } = past;
  if (counted === undefined || now.events.some((event) => event.type !== "notice" || event.code !== "frozen"))
    return undefined;
  const session = { messages, rejected, offered };
  const request = requestFor(messages.slice(0, counted.messages), { options: now, session, start: messages.length });
  return { request, tokens: counted.tokens };
}

/** Thinking is bound to the tools it was made with. */
function withoutThoughts({ messages }: Past): Event[] {
  const opaque = messages.flatMap(({ content }) => content.filter(({ type }) => type === "opaque"));
  const reason = "The tools are not those it was made with.";
  const events = opaque.map((block): Event => ({ type: "rejected", block: markOf(block), what: block.type, reason }));
  const text = "The tools have changed since: what the model thought before is left out.";
  return [...events, { type: "notice", code: "tools_changed", text }];
}

/** What a session goes on with, and what is told of it. */
type Framed = Pick<AgentOptions, "system" | "tools"> & { events: readonly Event[] };

/** Tells the model, with the first task, which files are no longer as it has seen them. */
export function changedFiles(learned: readonly Learned[], hashNow: HashNow): Attach {
  let told = false;
  return async (signal) => {
    if (told) return [];
    told = true;
    const changed: string[] = [];
    for (const [path, hash] of [...lastSeen(learned)].slice(-mostLooked)) {
      const now = await hashNow(path, signal).catch(() => undefined);
      if (signal.aborted) return [];
      if (now !== undefined && now !== hash) changed.push(now === null ? `${showPath(path)} (gone)` : showPath(path));
    }
    return changed.length === 0 ? [] : [noteOn(changed)];
  };
}

/** The version of each file that was seen last, in the order in which they were. */
function lastSeen(learned: readonly Learned[]): Map<string, Hash> {
  const seen = new Map<string, Hash>();
  const note = (path: string, hash: Hash | null): void => {
    seen.delete(path);
    if (hash !== null) seen.set(path, hash);
  };
  for (const { landed = [], shown = [] } of learned) {
    for (const { path, after } of landed) if (after === null || seen.has(path)) note(path, after);
    for (const { path, hash } of shown) note(path, hash);
  }
  return seen;
}

function noteOn(changed: readonly string[]): Attachment {
  const named = changed.slice(0, mostNamed).join(", ");
  const list = changed.length > mostNamed ? `${named} and ${changed.length - mostNamed} more` : named;
  const text = `The session goes on. These files have changed since you saw them; read them again before you rely on them: ${list}`;
  return {
    name: "changed files",
    ok: true,
    preview: `a note on files that changed since they were read: ${list}`,
    content: [fromHarness(text)],
  };
}

/** As a log keeps it. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
