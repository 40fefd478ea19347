/** `croft replay`: a recorded run once more, without model and network, and whether it is the same. */

import { readTrace, replay as replayTrace, type Doors, type Trace } from "@croft/harness";
import { parseArguments } from "../arguments.ts";
import { chooseRoot, currentFolder } from "../config/root.ts";
import { exitCodes, exitError } from "../exit.ts";
import type { Io } from "../io.ts";
import { jsonLine, jsonLines } from "../ui/json.ts";
import { plain } from "../ui/plain.ts";
import { verdictLines } from "../ui/replayed.ts";
import { asUsageError, UsageError } from "../usage.ts";
import { traceNamed } from "../session/find-session.ts";
import { openRecordedTools } from "./open-tools.ts";

const options = {
  dir: { type: "string", short: "C" },
  "live-tools": { type: "boolean" },
  json: { type: "boolean" },
} as const;

/** Runs the trace again and says what came of it. The exit code. Throws UsageError for what is no trace. */
export async function replay(args: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = parseArguments("replay", args, options);
  const [name, ...more] = positionals;
  if (more.length > 0) {
    const usage = "Usage: croft replay [file or session id]";
    throw new UsageError("E_ARGUMENTS", "One trace can be replayed at a time.", usage);
  }
  if (values.dir !== undefined && values["live-tools"] !== true) {
    throw new UsageError("E_ARGUMENTS", "A replay needs no project.", "Use -C only with --live-tools.");
  }
  const cwd = currentFolder();
  const trace = await traceIn(await traceNamed(name, io));
  const json = values.json === true;
  const tools = values["live-tools"] === true ? await toolsOf(values.dir, trace, cwd, io) : undefined;
  try {
    const emit = json ? jsonLines(io.out) : plain(io.out, io.err, io.paint);
    const replayed = await replayTrace(trace, { emit, live: tools }, io.signal);
    if (io.signal.aborted) return exitCodes.cancelled;
    if (json) io.out.write(jsonLine({ type: "replay", ...replayed }));
    if (!json || !replayed.same) for (const line of verdictLines(replayed, io.paint)) io.err.write(`${line}\n`);
    return replayed.same ? 0 : exitError;
  } finally {
    await tools?.close();
  }
}

async function toolsOf(dir: string | undefined, { turns }: Trace, cwd: string, io: Io): Promise<Doors> {
  const { start = { session: "", setup: undefined } } = turns[0] ?? {};
  return openRecordedTools(chooseRoot({ asked: dir, cwd, home: io.environment.home }), start, io);
}

async function traceIn(file: string): Promise<Trace> {
  try {
    return await readTrace(file);
  } catch (cause) {
    throw asUsageError(cause);
  }
}
