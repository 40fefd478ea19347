/** What a command of the chat is, and what it has of the chat. */

import type { AttachedText } from "@croft/harness";
import type { Io } from "../io.ts";
import type { Current } from "./current.ts";
import type { OwnFiles } from "./own/own.ts";
import type { Mode, Screen } from "./screen.ts";

/** Which session comes next: a new one, one from a file, or this one with another model. */
export type Next = { kind: "new" } | { kind: "resume"; file: string } | { kind: "model"; name: string };

export interface Talk {
  /** What is written to its `err` is told on the screen. */
  readonly io: Io;
  readonly screen: Screen;
  readonly root: string;
  readonly current: Current;
  readonly mode: Mode;
  readonly commands: readonly Command[];
  /** Commands and skills that are files, as they are now or were a moment ago. Never rejects. */
  own(signal: AbortSignal): Promise<OwnFiles>;
  setMode(mode: Mode): void;
  /**
   * Ends this session and begins the next one; says so. Throws UsageError, and Failure, where there can be none; then
   * this one goes on.
   */
  begin(next: Next): Promise<void>;
  /** From the next turn on the rest of the chat may cost so much, in dollars. */
  useCeiling(dollars: number): void;
  /** Goes to the model with the person's next message. */
  tellModel(text: AttachedText): void;
  /** Takes a turn with the model, and shows it. */
  say(text: string, signal: AbortSignal): Promise<void>;
  /** What is said behind the running turn, as a turn of its own. */
  later(text: string): void;
  leave(): void;
}

/** What can stand behind a command's name. */
export type Argument = { value: string; note?: string | undefined };

export type Command = {
  name: string;
  /** Another name. */
  also?: string | undefined;
  /** What stands behind the name: "[n]". */
  takes?: string | undefined;
  /** One line. */
  help: string;
  /** It can be run while a turn runs; the others wait for its end. */
  anytime?: true | undefined;
  /** Throws Failure, which is told. */
  run(talk: Talk, rest: string, signal: AbortSignal): Promise<void> | void;
  /** For completion. */
  arguments?: ((talk: Talk, signal: AbortSignal) => Promise<readonly Argument[]> | readonly Argument[]) | undefined;
};
