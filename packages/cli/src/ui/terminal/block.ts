/** What stays on the screen once it is drawn. Everything in it is untrusted text until it is drawn. */

import type { Action, Landed } from "@croft/harness";
import type { DiffLimits } from "../changes.ts";

export type Tone = "plain" | "dim" | "bad" | "good";

/** A call that has ended. `output`: the last lines of what it wrote while it ran. */
export type EndedCall = {
  name: string;
  input: unknown;
  ok: boolean;
  preview: string;
  details: unknown;
  landed: readonly Landed[] | undefined;
  seconds: number;
  output: readonly string[];
};

export type Changes = Extract<Action, { kind: "write" }>["changes"];

export type Block =
  /** What the person said. */
  | { type: "asked"; text: string }
  /** Markdown of the model; `first`: an answer begins with it. */
  | { type: "answer"; source: string; first: boolean }
  | { type: "thought"; text: string }
  /** Markdown of croft itself. */
  | { type: "told"; markdown: string }
  /** Lines of croft itself. */
  | { type: "lines"; lines: readonly string[]; tone: Tone }
  | { type: "call"; call: EndedCall }
  /** What is asked about, all of it: every character, as a terminal would break it. */
  | { type: "action"; lines: readonly string[] }
  /** What is about to land, or is asked about. */
  | { type: "changes"; changes: Changes; limits: DiffLimits }
  /** A call in full: what it was given, what came of it. */
  | { type: "record"; name: string; input: unknown; result: string };
