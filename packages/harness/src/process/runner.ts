/** The port of the runner, what tools hold to run programs: it asks the gate, then runs in the enclosure. */

import type { CommandLine } from "../gate/command.ts";
import type { ShellState } from "../gate/shell-state.ts";
import type { Tree } from "./enclosure.ts";

/** A program to be run to its end. */
export type Command = {
  command: CommandLine;
  /** A folder of the project, relative to the root. */
  cwd: string;
  /** Hosts it asks to reach. */
  hosts?: readonly string[] | undefined;
  /** Why it must leave the sandbox: always a question. */
  outside?: string | undefined;
  /** A copy of the project to run in, in its place: only in a sandbox, else E_NOT_ENCLOSED. */
  tree?: Tree | undefined;
  /** It may change nothing of the project: only in a sandbox, else E_NOT_ENCLOSED. */
  readOnly?: true | undefined;
  /** It is a line of this shell, which stands in `cwd`: only in a sandbox, else E_NOT_ENCLOSED. */
  shell?: ShellState | undefined;
};

/** A command that is run to its end, which comes when the time is up at the latest. */
export type TimedCommand = Command & { timeoutMs: number };

/** Output as it came, both streams in the order of arrival, made readable: no control sequences, `\r` collapsed. */
export type Captured = {
  /** Head and tail where it was too long, with what was left out said between. */
  text: string;
  /** Of the whole. */
  bytes: number;
  /** The whole output, on disk; undefined where `text` is all of it. */
  file: string | undefined;
};

/** What came of a command. */
export type Ended = {
  code: number | null;
  signal: string | null;
  timedOut: boolean;
  /** Processes it left behind, ended at its return. */
  left: number;
  output: Captured;
  /** What a line of a shell has made of it; undefined where the shell has ended with it. */
  shell?: ShellState | undefined;
  /** What is to be told beside the output: protected files that appeared, undo that does not cover it… */
  notices: readonly string[];
};

/** The door to programs: what tools hold. Every command passes the gate before it starts. */
export interface Runner {
  /** Whether commands run in a sandbox: `run_shell` is offered only then. */
  readonly enclosed: boolean;
  /**
   * Runs to the end of the direct child. `onOutput` gets readable pieces as they come. Throws E_REFUSED, E_STALE where
   * an approved script changed, E_NOT_ENCLOSED, E_NO_PROGRAM, E_NOT_STARTED, what resolving `cwd` throws, and the
   * signal's reason.
   */
  run(command: TimedCommand, onOutput: (text: string) => void, signal: AbortSignal): Promise<Ended>;
  /** A server or watcher that goes on. It ends with the runner. Throws as `run` does, and E_TOO_MANY. */
  start(command: Command, signal: AbortSignal): Promise<Running>;
  /** Those started and not stopped, also when they have ended by themselves. */
  running(): readonly Running[];
  /** Ends all that runs, and waits for it. */
  close(): Promise<void>;
}

/** A program that goes on: a server, or a watcher. It ends with the session at the latest. */
export interface Running {
  readonly id: string;
  readonly command: CommandLine;
  /** Undefined while it runs. */
  readonly ended: Ended | undefined;
  /** Output since the last call, bounded like `Captured.text`. */
  read(): string;
  /** Waits until it has ended, at most so long. Throws the signal's reason. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
  stop(): Promise<Ended>;
}
