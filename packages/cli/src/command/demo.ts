/** `croft demo`: a whole run with a scripted model, in a folder made for it. */

import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import {
  codeGate,
  messageOf,
  openCode,
  openLog,
  openUndo,
  scripted,
  textOf,
  toolUsesOf,
  type CommandOptions,
  type Event,
  type Undo,
} from "@croft/harness";
import { parseArguments } from "../arguments.ts";
import { check, culprit, files, task } from "../demo/project.ts";
import { script } from "../demo/script.ts";
import { watch, type Watched } from "../demo/watch.ts";
import { exitCodes, exitError } from "../exit.ts";
import type { Io } from "../io.ts";
import { escapeText } from "../ui/escape.ts";
import { demoLines, type Undone } from "../ui/demo.ts";
import { plain } from "../ui/plain.ts";
import { openSpinner } from "../ui/spinner.ts";
import { UsageError } from "../usage.ts";

const options = { keep: { type: "boolean" } } as const;

/** The script has none, and so it is free. */
const price = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 };

/** Runs it, and takes it back. The exit code. */
export async function demo(args: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = parseArguments("demo", args, options);
  if (positionals.length > 0)
    throw new UsageError("E_ARGUMENTS", "The demo has a task of its own.", "Usage: croft demo");
  const base = makeBase();
  const remove = (): void => rmSync(base, { recursive: true, force: true });
  if (values.keep !== true) process.once("exit", remove); // also where a second Ctrl+C ends croft at once
  try {
    return await shown(base, values.keep === true, io);
  } finally {
    if (values.keep !== true) {
      process.off("exit", remove);
      remove();
    }
  }
}

/** A folder for it alone. Throws UsageError E_NO_FOLDER. */
function makeBase(): string {
  try {
    return realpathSync(mkdtempSync(join(tmpdir(), "croft-demo-")));
  } catch (cause) {
    const message = `The demo needs a folder for temporary files: ${messageOf(cause)}.`;
    throw new UsageError("E_NO_FOLDER", message, "Set TMPDIR to one that you may write to.", cause);
  }
}

async function shown(base: string, keep: boolean, io: Io): Promise<number> {
  const root = join(base, "project");
  const trace = join(base, "trace.jsonl");
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  io.err.write(`${scriptedWords}\nThe task: ${task}\n\n`);
  const undo = openUndo({ store: join(base, "undo"), root });
  const watched = await ran({ base, root, trace, undo }, io);
  if (io.signal.aborted) return exitCodes.cancelled;
  const undone = await takenBack(undo, root, io.signal);
  if (io.signal.aborted) return exitCodes.cancelled;
  const left = keep ? { folder: base, trace } : undefined;
  for (const line of demoLines({ watched, undone, left }, io.paint)) io.err.write(`${line}\n`);
  io.err.write(`\n${scriptedAgain}\n`);
  const fine = watched.status === "done" && watched.verified.at(-1) === true && undone.whole;
  return fine ? 0 : exitError;
}

const scriptedWords =
  "This is a demo: the model is a script. All else is real: the loop, the tools, the gate, the sandbox, the verification, the undo.";
const scriptedAgain =
  'The model was a script. With a key, or a local server, croft does the same with a real one: croft run "<task>" (croft help).';

type Places = { base: string; root: string; trace: string; undo: Undo };

async function ran({ base, root, trace, undo }: Places, io: Io): Promise<Watched> {
  const session = openLog({ id: "demo", file: trace });
  const show = plain(io.out, io.err, io.paint, { spinner: io.live ? openSpinner(io.err) : undefined });
  const watching = watch();
  const emit = (event: Event): void => {
    watching.take(event);
    const claim = claimIn(event);
    if (claim !== undefined) io.err.write(`The model says: ${escapeText(claim)}\n`);
    show(event);
  };
  // Without a sandbox each command is a question. These are the demo's own, in its own folder.
  const gate = codeGate({ yes: true, ask: async ({ kind }) => ({ allowed: kind === "run" }) });
  const coding = await openCode({
    root,
    gate,
    model: scripted(script),
    price,
    session,
    memory: false,
    undo,
    commands: commandsIn(base, io),
    verify: { command: check.join(" ") },
    emit,
  });
  try {
    await coding.run(task, io.signal);
  } finally {
    await coding.close();
    session.close();
  }
  return watching.watched;
}

/** What is said as an answer, before anybody has checked it. */
function claimIn(event: Event): string | undefined {
  if (event.type !== "message" || event.message.role !== "assistant") return undefined;
  return toolUsesOf(event.message).length === 0 ? textOf(event.message) : undefined;
}

/** Commands find the node that croft runs on, whatever else is on the PATH. */
function commandsIn(base: string, { environment }: Io): CommandOptions {
  const path = [dirname(process.execPath), ...(environment.path === undefined ? [] : [environment.path])];
  const outputs = join(base, "outputs");
  mkdirSync(outputs, { mode: 0o700 });
  return {
    user: { ...environment.all(), PATH: path.join(delimiter) },
    home: environment.home ?? "/",
    cache: join(base, "cache"),
    quarantine: join(base, "quarantine"),
    outputs,
    sandbox: true,
  };
}

async function takenBack(undo: Undo, root: string, signal: AbortSignal): Promise<Undone> {
  const versions = await undo.versions(culprit);
  await undo.undo(signal);
  const whole = Object.entries(files).every(([path, text]) => readFileSync(join(root, path), "utf8") === text);
  return { path: culprit, diff: versions?.diff ?? "", whole };
}
