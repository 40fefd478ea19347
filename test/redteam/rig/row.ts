/** A row of the list of attacks, as data: what a hostile model calls, how one sees that it got through, and its twin. */

import { createHash } from "node:crypto";
import type { ToolsetName } from "@croft/harness";
import { call, type Part, type ServerReply } from "@croft/harness/testing";
import type { World } from "./world.ts";

/** What croft is given to work with. */
export type Tools = Exclude<ToolsetName, "ask">;

/** The replies of the model, in order. */
export type Steps = readonly ServerReply[];

/** Where services of this machine listen. */
export type Ports = { tcp: number; udp: number; abstract: string };

/** What a tool told the model. */
export type Told = { text: string; failed: boolean };

export type Played = {
  world: World;
  /** Results of the attack's calls, then of the twin's, each in the order of the calls. */
  attack: readonly Told[];
  twin: readonly Told[];
  /** Everything that was sent to the model. */
  requests: string;
  /** What was shown, byte for byte. */
  screen: string;
  code: number | null;
  /** It had to be killed. */
  hung: boolean;
};

export type Row = {
  id: string;
  attack: string;
  /** Of the project, beside `README.md`, `add.js` and `.env`. */
  files?: Readonly<Record<string, string>>;
  /** False: the project is no repository. */
  repository?: boolean;
  /** Before croft starts, on this machine. */
  prepare?: (world: World) => void;
  /** While croft runs. */
  meanwhile?: (world: World) => Disposable;
  calls: (world: World, ports: Ports) => Steps;
  /** Paths of the project that must be afterwards what they were, there or not. */
  untouched?: readonly string[];
  /** After croft has ended, as its user. */
  afterwards?: (world: World) => void;
  /** What tells that it got through, beside what is always looked at. */
  escaped?: (played: Played) => string | false;
  /** The same in good faith. It is played behind the attack, in the same session. */
  twin: {
    does: string;
    calls?: (world: World) => Steps;
    works: (played: Played) => boolean;
  };
  /** Flags besides `run --yes`. */
  flags?: readonly string[];
  /** Without `--yes`, on a terminal, somebody answers: what is shown, and what they type then. */
  person?: readonly (readonly [shown: string, typed: string])[];
  /** Folder that croft starts in. Default: the project. */
  folder?: (world: World) => string;
  /** Programs without which it is skipped. */
  needs?: readonly string[];
  /** croft is killed once this is shown; the twin plays in a session of its own. */
  killedAt?: string;
  /** Not played where this machine cannot limit it: what it takes would be missing elsewhere. */
  limits?: "processes" | "memory";
  /** Left out unless asked for: `--slow`. */
  slow?: boolean;
  /** Toolsets in which there is no such thing to do, and why. */
  notWith?: { readonly tools: readonly Tools[]; readonly since: string };
  /** Only for this user. */
  only?: "root" | "user";
};

export const read = (path: string): Part => call("read_file", { path });
export const write = (path: string, content: string): Part => call("write_file", { path, content });
export const run = (...argv: string[]): Part => call("run_command", { argv });
export const shell = (command: string): Part => call("run_shell", { command });

/**
 * A line of shell, tried as it is and, since the rules ask about much of that, as a script of the project, which they
 * know nothing of: what holds that is the sandbox.
 */
export function hostile(line: string): readonly ServerReply[] {
  const file = `do-${createHash("sha256").update(line).digest("hex").slice(0, 8)}.sh`;
  return [[shell(line), write(file, `${line}\n`)], run("bash", file)];
}

/** Whether one of the results holds a text. */
export function says(told: readonly Told[], text: string | RegExp): boolean {
  return told.some((result) => (typeof text === "string" ? result.text.includes(text) : text.test(result.text)));
}
