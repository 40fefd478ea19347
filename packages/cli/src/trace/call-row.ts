/** A tool call as one row: what was asked for, what was decided about it, what came of it. */

import type { Event, ToolResultBlock } from "@croft/harness";
import { commandEnd } from "./command-end.ts";
import type { Kind, Part, Row, Span, Tone } from "./row.ts";
import { facts, fields, image, json, line, text, whole } from "./say.ts";
import { duration, grouped } from "../ui/numbers.ts";

export type Decision = Extract<Event, { type: "decision" }>;
type Action = Decision["action"];
type Result = Extract<Event, { type: "tool_result" }>;

/** What is known of a call so far. Times in milliseconds since the trace began. */
export type Call = {
  name: string;
  input: unknown;
  at: number;
  decisions: { decision: Decision; waited: Span | undefined }[];
  /** What an agent within it did, a line each. */
  inner: string[];
  result?: { event: Result; at: number } | undefined;
  /** What the model got. */
  content?: ToolResultBlock["content"] | undefined;
};

/** `now`: where the trace has come to, for a call without a result. */
export function callRow(call: Call, now: number): Row {
  const { name, input, at, decisions, inner, result, content = [] } = call;
  const end = result?.at ?? now;
  const kind = kindOf(call);
  const command = decisions.map(({ decision }) => commandIn(decision.action)).find((each) => each !== undefined);
  return {
    head: {
      kind,
      at,
      title: line(command === undefined ? `${name} ${brief(input)}` : `$ ${command}`),
      note: [outcomeOf(result?.event), duration(end - at)].join(", "),
      tone: toneOf(result?.event),
      spans: [
        { lane: "tools", at, ms: end - at },
        ...decisions.flatMap(({ waited }) => (waited === undefined ? [] : [waited])),
      ],
    },
    body: [
      ...facts(["tool", name]),
      ...fields(input),
      ...decisions.flatMap(({ decision }) => decisionParts(decision)),
      ...(inner.length === 0 ? [] : [text("what the agent within it did", inner.join("\n"))]),
      ...(result === undefined ? facts(["result", "none: croft was ended before"]) : resultFacts(result.event)),
      ...contentParts(content, kind === "change" ? "folded" : undefined), // the diff says it better
    ],
  };
}

/** Of an agent within a call. */
export function innerLine(
  event: Exclude<Extract<Event, { type: "explored" }>["event"], { type: "step" | "compaction" }>,
): string {
  if (event.type === "notice") return event.text;
  if (event.type === "tool_call") return `${event.name} ${brief(event.input)}`;
  return `   ${event.ok ? "ok" : "failed"}: ${event.preview}`;
}

function kindOf({ decisions, result }: Call): Kind {
  if (decisions.some(({ decision }) => decision.action.kind === "run")) return "command";
  const changes = decisions.some(({ decision }) => decision.action.kind === "write");
  return changes || (result?.event.landed ?? []).length > 0 ? "change" : "call";
}

function toneOf(result: Result | undefined): Tone | undefined {
  if (result === undefined) return "doubt";
  const { failed } = commandEnd(result.details) ?? { failed: false };
  return result.ok && !failed ? undefined : "bad";
}

function outcomeOf(result: Result | undefined): string {
  if (result === undefined) return "no result";
  const end = commandEnd(result.details);
  if (end !== undefined) return end.says;
  return result.ok ? `${grouped(result.chars)} characters` : "failed";
}

/** What a decision was about, for people: diffs, the whole command, why. */
function decisionParts({ action, verdict }: Decision): Part[] {
  const who = verdict.by === "person" ? "a person" : "a rule";
  const decided = `${verdict.allowed ? "allowed" : "refused"} by ${who}`;
  const why = verdict.note === undefined ? decided : `${decided}: ${verdict.note}`;
  if (action.kind === "write") {
    const diffs = action.changes.map(({ path, asked, diff }): Part => {
      return { as: "diff", label: line(path ?? asked), text: whole(diff) };
    });
    return [...diffs, ...facts(["change", why])];
  }
  if (action.kind !== "run") {
    // That ordinary reading is allowed is no news.
    return verdict.allowed && verdict.by === "rule" ? [] : facts([action.kind, `${action.asked}: ${why}`]);
  }
  const { cwd, verdict: rule, enclosed, outside, hosts } = action;
  return facts(
    ["command", commandIn(action)],
    ["in", cwd === "." ? undefined : cwd],
    ["decision", `${why} (${rule.rule})`],
    ["sandbox", enclosed ? "yes" : `no${outside === undefined ? "" : `: ${outside}`}`],
    ["hosts", hosts.join(", ")],
  );
}

/** The line of a command, its words told apart where that is needed. */
export function commandIn(action: Action): string | undefined {
  if (action.kind !== "run") return undefined;
  if (typeof action.command === "string") return action.command;
  return action.command.map((word) => (/^[\w./:=@%+,-]+$/.test(word) ? word : JSON.stringify(word))).join(" ");
}

/** A decision outside of any call: a check that runs the project's own command. */
export function decisionRow(decision: Decision, waited: Span | undefined, at: number): Row {
  const { action, verdict } = decision;
  const command = commandIn(action);
  return {
    head: {
      kind: command === undefined ? "notice" : "command",
      at,
      title: line(command === undefined ? `${action.kind}, outside of any call` : `$ ${command}`),
      note: verdict.allowed ? "allowed" : "refused",
      ...(waited !== undefined && { spans: [waited] }),
    },
    body: decisionParts(decision),
  };
}

function resultFacts({ ok, preview, landed = [], details }: Result): Part[] {
  const changed = landed.map(({ path, before, after, hunks }) => {
    const done = before === null ? "created" : after === null ? "deleted" : "changed";
    const added = hunks.reduce((sum, hunk) => sum + hunk.added, 0);
    const removed = hunks.reduce((sum, hunk) => sum + hunk.removed, 0);
    return [done, `${path} (+${added} -${removed})`] as const;
  });
  const isCommand = commandEnd(details) !== undefined;
  return [
    ...facts(["result", ok ? undefined : preview], ...changed),
    ...(details === undefined || isCommand ? [] : [text("details", json(details), "folded")]),
  ];
}

/** What stands in a message beside what was said. */
export function contentParts(content: ToolResultBlock["content"], folded?: "folded"): Part[] {
  return content.map((block) =>
    block.type === "text" ? text("what the model got", block.text, folded) : image(block.mediaType, block.base64),
  );
}

function brief(input: unknown): string {
  if (typeof input !== "object" || input === null) return JSON.stringify(input) ?? "";
  return Object.entries(input)
    .map(([name, value]) => `${name}=${JSON.stringify(value) ?? ""}`)
    .join(" ");
}
