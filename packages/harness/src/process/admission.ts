/**
 * What must be settled before a command runs: where, what it is taken for, which files of the project it runs, and
 * whether it may. What is approved is the argv, the folder and the content of these files: they are looked at again
 * right before the start.
 */

import { posix } from "node:path";
import { Failure } from "../error.ts";
import type { CommandLine, CommandPolicy, CommandVerdict } from "../gate/command.ts";
import type { Gate } from "../gate/gate.ts";
import { passGate, veiled } from "../gate/pass.ts";
import { changeIn, verdictIn } from "../gate/shell-state.ts";
import type { Command } from "./runner.ts";

/** A folder of the project, held: it stays the one that was found, whatever is renamed. */
export interface HeldFolder extends Disposable {
  /** As resolved, relative to the root. */
  readonly path: string;
  /** The same for this system. */
  readonly directory: string;
}

/** A file of the project and the hash of its bytes. */
export type ProgramFile = { path: string; hash: string };

export type AdmissionParts = {
  gate: Gate;
  /** Asked before anything is looked up, about the command as it stands; what it finds then is a second question. */
  strict?: boolean | undefined;
  policy: CommandPolicy;
  /** Finds and holds a folder. Throws what finding it throws. */
  enter: (folder: string) => HeldFolder;
  /** Looks at a file, relative to the root or absolute; undefined for what is no file of the project. */
  fileAt: (path: string, signal: AbortSignal) => Promise<ProgramFile | undefined>;
};

export interface Admitted extends Disposable {
  readonly folder: HeldFolder;
  readonly verdict: CommandVerdict;
  /** Throws E_STALE where a file it runs is no longer what was approved. */
  confirm(signal: AbortSignal): Promise<void>;
}

/** Asks the gate. Throws E_REFUSED, what finding the folder throws (if strict, E_UNAVAILABLE), and the signal's reason. */
export async function admit(
  parts: AdmissionParts,
  { command, cwd, outside, hosts = [], readOnly, shell, enclosed }: Command & { enclosed: boolean },
  signal: AbortSignal,
): Promise<Admitted> {
  const { gate, strict = false } = parts;
  const judged = parts.policy.judge(command);
  const verdict = shell === undefined ? judged : verdictIn(shell, judged);
  const changedShell = shell === undefined || changeIn(shell) === undefined ? undefined : true;
  const action = { kind: "run", command, cwd, verdict, enclosed, readOnly, changedShell, outside, hosts } as const;
  if (strict) await passGate(gate, { ...action, programs: [] }, signal);
  const folder = await veiled({ strict, signal }, async () => parts.enter(cwd));
  try {
    const programs = await programsOf(parts, command, folder.path, signal);
    const isKnown = strict && programs.length === 0 && folder.path === posix.normalize(cwd);
    if (!isKnown) await passGate(gate, { ...action, cwd: folder.path, programs }, signal);
    return {
      folder,
      verdict,
      async confirm(during) {
        for (const { path, hash } of programs) {
          if ((await parts.fileAt(path, during))?.hash !== hash) throw changed(path);
        }
      },
      [Symbol.dispose]: () => folder[Symbol.dispose](),
    };
  } catch (thrown) {
    folder[Symbol.dispose]();
    throw thrown;
  }
}

/** Words of a command that are looked at, and characters of one that may be a path. */
const maxWords = 16;
const maxPath = 4_095;

/**
 * The program where it is named with a slash, and the first argument that is a file of the project: a script for its
 * interpreter, whichever that is. Of a shell line the words are only guessed at; the sandbox is what holds it.
 */
async function programsOf(
  parts: AdmissionParts,
  command: CommandLine,
  cwd: string,
  signal: AbortSignal,
): Promise<ProgramFile[]> {
  const [program = "", ...rest] = typeof command === "string" ? command.split(/[\s;&|()<>"']+/) : command;
  const words = rest.filter(isPathLike).slice(0, maxWords);
  const own = program.includes("/") ? await fileFor(parts, program, cwd, signal) : undefined;
  const found = own === undefined ? [] : [own];
  for (const word of words) {
    const file = await fileFor(parts, word, cwd, signal);
    if (file !== undefined) return file.path === own?.path ? found : [...found, file];
  }
  return found;
}

function isPathLike(word: string): boolean {
  return word !== "" && !word.startsWith("-") && word.length <= maxPath && !word.includes("\0");
}

function fileFor(
  parts: AdmissionParts,
  word: string,
  cwd: string,
  signal: AbortSignal,
): Promise<ProgramFile | undefined> {
  return parts.fileAt(posix.isAbsolute(word) ? word : posix.join(cwd, word), signal);
}

function changed(path: string): Failure {
  return new Failure("E_STALE", `${path} changed after the command was approved; nothing was run.`, {
    remedy: "Look at it again before you run it.",
  });
}
