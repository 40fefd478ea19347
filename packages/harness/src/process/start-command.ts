/** One command from the gate to the last word about it. */

import { Failure, messageOf } from "../error.ts";
import { neverAborted } from "../never.ts";
import { admit, type Admitted, type AdmissionParts } from "./admission.ts";
import type { Confined, Enclosure, Launch } from "./enclosure.ts";
import { startJob, type Job } from "./job.ts";
import { couldNotStart, whyNotStarted } from "./look-up.ts";
import { createCapture, type Capture, type TextFilter } from "./output/capture.ts";
import { plainLaunch } from "./plain.ts";
import type { Pipes } from "./system/pipe.ts";
import type { Command, Ended } from "./runner.ts";
import { restoring, scriptFor, stateFrom } from "./shell-line.ts";
import { openHandover, type Handover } from "./system/handover.ts";
import type { Watchdog } from "./watchdog.ts";

/** What is done around each command that is run to its end, such as keeping what undo needs. */
export type Around = {
  before: (signal: AbortSignal) => Promise<void>;
  /** What is to be told of it. Called once for each `before` that came to its end, however the command went. */
  after: () => Promise<readonly string[]>;
};

export type CommandParts = AdmissionParts & {
  /** Without one commands start plainly. */
  enclosure?: Enclosure | undefined;
  /** The environment of what starts without an enclosure. */
  env: Readonly<Record<string, string>>;
  /** A folder of ours that nobody else may enter, for pipes and the whole of long outputs. */
  folder: string;
  around?: Around | undefined;
  /** What of the output of a command is kept and told; a new one for each. */
  filter?: (() => Promise<TextFilter>) | undefined;
};

/** What commands of one session share, and where the output of this one goes. */
export type CommandContext = { onText: (text: string) => void; pipes: Pipes; watchdog: Watchdog };

export type Started = Pick<Job, "exit" | "end"> & {
  /** Settles when nothing of it is left and all is known. */
  readonly done: Promise<Omit<Ended, "timedOut">>;
  /** Throws E_NO_PROGRAM where that is why it ended with such a code. */
  readonly explain: (code: number | null, signal: AbortSignal) => Promise<void>;
};

/**
 * Asks the gate, then starts it. `onText` gets the readable output as it comes. Throws E_REFUSED, E_STALE,
 * E_NOT_ENCLOSED, E_NO_PROGRAM, E_NOT_STARTED, what finding the folder throws, and the signal's reason.
 */
export async function startCommand(
  parts: CommandParts,
  command: Command,
  { onText, pipes, watchdog }: CommandContext,
  signal: AbortSignal,
): Promise<Started> {
  const enclosure = command.outside === undefined ? parts.enclosure : undefined;
  if (typeof command.command === "string" && parts.enclosure === undefined) throw notEnclosed();
  if (command.tree !== undefined && enclosure === undefined) throw noCopy();
  if (command.shell !== undefined && enclosure === undefined) throw notEnclosed();
  const argv = argvOf(command);
  using admitted = await admit(parts, { ...command, enclosed: enclosure !== undefined }, signal);
  if (command.readOnly === true && enclosure === undefined) throw notReadOnly();
  // What can change nothing leaves nothing to be kept or told.
  const around = command.readOnly === true ? undefined : parts.around;
  const filter = await parts.filter?.();
  await around?.before(signal);
  const capture = createCapture({ folder: parts.folder, onText, filter });
  let launch: Launch | undefined;
  let handover: Handover | undefined;
  try {
    handover = command.shell && openHandover(parts.folder, restoring(command.shell), maxState);
    const confined = confine(argv, command, admitted, handover?.descriptors);
    launch =
      enclosure === undefined
        ? plainLaunch(argv, admitted.folder.directory, parts.env)
        : await enclosure.launch(confined, signal);
    await admitted.confirm(signal);
    const job = await startJob({
      launch,
      pipes,
      watchdog: launch.endsWhole ? undefined : watchdog,
      take: (bytes) => capture.write(bytes),
    });
    return {
      exit: job.exit,
      end: job.end,
      done: finish(job, { launch, capture, enclosure, around, handover, ...confined }),
      async explain(code, signal) {
        if (enclosure === undefined || typeof command.command === "string" || !couldNotStart.has(code)) return;
        const failure = await whyNotStarted(enclosure, confined, pipes, signal);
        if (failure !== undefined) throw failure;
      },
    };
  } catch (thrown) {
    await launch?.[Symbol.asyncDispose]();
    handover?.[Symbol.dispose]();
    await around?.after();
    throw thrown;
  }
}

/** Bytes of what a shell has come to that are kept; who defines more begins anew. */
const maxState = 2_000_000;

function argvOf({ command, shell }: Command): readonly [string, ...string[]] {
  // Nothing is put around the text: here-documents, comments and syntax errors are the shell's own affair.
  if (typeof command === "string") {
    return ["bash", "--noprofile", "--norc", "-c", shell === undefined ? command : scriptFor(command, shell)];
  }
  const [program, ...args] = command;
  if (program !== undefined) return [program, ...args];
  throw new Failure("E_NO_PROGRAM", "The command is empty.", { remedy: "Name a program." });
}

function confine(
  argv: Confined["argv"],
  { hosts = [], tree, readOnly }: Command,
  { folder, verdict }: Admitted,
  handed: readonly number[] | undefined,
): Confined {
  return { argv, cwd: folder.path, profile: verdict.profile, hosts, tree, readOnly, handed };
}

type Open = {
  launch: Launch;
  capture: Capture;
  enclosure: Enclosure | undefined;
  around: Around | undefined;
  handover: Handover | undefined;
} & Pick<Confined, "cwd" | "readOnly">;

/** What was opened is closed on every path. */
async function finish(
  job: Job,
  { launch, capture, enclosure, around, handover, cwd, readOnly }: Open,
): Promise<Omit<Ended, "timedOut">> {
  using held = handover;
  await using _launch = launch;
  const { code: ownCode, signal, left } = await job.done;
  const shell = held && stateFrom(held.read() ?? "", cwd);
  const code = shell?.status ?? ownCode; // bash ends well once it has told what its line came to
  const { output, notice } = await capture.finish();
  const notices = [
    ...(code === null && signal === null ? ["It could not be ended, and may still run."] : []),
    ...(notice === undefined ? [] : [notice]),
    ...(readOnly === true && code !== 0 ? ["The project was read-only for it."] : []),
    ...(await noticesOf(enclosure?.inspect(neverAborted()))),
    ...(await noticesOf(around?.after())),
  ];
  return { code, signal, left, output, shell, notices };
}

/** How the command went stays known when looking after it fails. */
async function noticesOf(looking: Promise<readonly string[]> | undefined): Promise<readonly string[]> {
  try {
    return (await looking) ?? [];
  } catch (thrown) {
    return [`What it may have changed could not be looked at: ${messageOf(thrown)}`];
  }
}

function notEnclosed(): Failure {
  return new Failure("E_NOT_ENCLOSED", "Shell text is run only in a sandbox, and there is none here.", {
    remedy: "Use run_command with a program and its arguments.",
  });
}

function notReadOnly(): Failure {
  return new Failure("E_NOT_ENCLOSED", "The project is read-only for a command only in a sandbox, and there is none.", {
    remedy: "Look with the tools that read files.",
  });
}

function noCopy(): Failure {
  return new Failure("E_NOT_ENCLOSED", "A copy of the project stands in its place only in a sandbox.", {
    remedy: "Run it in the project itself.",
  });
}
