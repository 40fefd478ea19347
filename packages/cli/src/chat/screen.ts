/**
 * The port between an interactive session and what shows it: the terminal interface, or plain lines. The session says
 * what happened; the screen says what the person wants. Everything a screen is given is untrusted until it is escaped.
 */

import type { Ask, Event, LoggedEvent } from "@croft/harness";

/** plan: nothing is changed. ask: each change is a question. yes: ordinary changes are not. */
export type Mode = "plan" | "ask" | "yes";

/** How the session stands; undefined where it is not known. */
export type ChatStatus = {
  model: string;
  /** read: nothing can be changed in this session, whatever the mode. */
  mode: Mode | "read";
  /** Whether commands run in a sandbox; "none": no commands are run. */
  sandbox: "on" | "off" | "none" | undefined;
  /** Tokens of the last request, and how many the model takes. */
  context: { used: number; of: number } | undefined;
  /** Of the whole session. */
  dollars: number | undefined;
  /** A turn is running. */
  working: boolean;
  /** What was entered and waits for its turn, in order. */
  queued: readonly string[];
};

export type Choice = {
  title: string;
  items: readonly { value: string; label: string; note?: string | undefined }[];
};

/** `insert` takes the place of the draft from `from` to the cursor. */
export type Completion = { from: number; insert: string; label: string; note?: string | undefined };

/** What a person can want; the session answers. None of these throws. */
export interface Person {
  /** A message or a command. "now": at the next step of a running turn; "later": as a turn of its own behind it. */
  enter(text: string, when: "now" | "later"): void;
  /** Ends the running turn. False if none runs. */
  interrupt(): boolean;
  /** Takes back what was entered last and waits still, to be edited. */
  retract(): string | undefined;
  /** The next mode there is. */
  nextMode(): void;
  /** The mode in which ordinary changes are not asked about. */
  trust(): void;
  /** Files behind `@`, commands behind a first `/`. `cursor` counts UTF-16 units. */
  complete(draft: string, cursor: number, signal: AbortSignal): Promise<readonly Completion[]>;
  /** What was entered before, in this project, the newest last. */
  history(): readonly string[];
  /**
   * Lets them write in an editor of their own, which has the terminal until this resolves. The text as it is then;
   * undefined: there is no such editor, or it failed.
   */
  edit(draft: string): Promise<string | undefined>;
  leave(): void;
}

export interface Screen {
  /** Whether what is told while the person types comes to stand above, as if they had not typed yet. */
  readonly tellsAbove: boolean;
  /** What its keys do, as Markdown. */
  readonly keys: string;
  /** Takes what happens in a turn, in order. */
  show(event: Event): void;
  /** Shows what happened in turns of before, each from its start; what was broken off in them runs no more. */
  recall(events: readonly LoggedEvent[]): void;
  /** Markdown that croft says itself: the answer to a command, a hint. */
  tell(markdown: string): void;
  /** Lines as they stand, which are no Markdown: what a command prints, names of files. */
  print(lines: readonly string[]): void;
  /** A command that the person entered and that is done now. */
  entered(text: string): void;
  /** Puts one action to the person. Rejects when the signal fires. */
  ask: Ask;
  /** Undefined: dismissed. Rejects when the signal fires. */
  choose(choice: Choice, signal: AbortSignal): Promise<string | undefined>;
  setStatus(status: ChatStatus): void;
  /** Empties what is shown; what a terminal keeps above stays. */
  clear(): void;
  /** Puts a text where the person types, in front of what they are writing. */
  draft(text: string): void;
  /** Reads what the person wants until the session closes the screen, or there is nothing more to read. */
  read(person: Person): Promise<void>;
  /** Gives the terminal back as it was. Can be called twice, and at any moment. */
  close(): void;
}
