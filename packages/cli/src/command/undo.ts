/** `croft undo`: takes the last turn back, lists the turns, or shows both versions of a file. Nobody is asked. */

import { Failure, withoutSecrets, type Undo } from "@croft/harness";
import { isAbsolute, relative } from "node:path";
import { parseArguments } from "../arguments.ts";
import type { Io } from "../io.ts";
import { escapeText } from "../ui/escape.ts";
import { jsonLine } from "../ui/json.ts";
import { turnLines } from "../ui/undone.ts";
import { UsageError } from "../usage.ts";
import { undoOf } from "../session/open-undo.ts";
import { report } from "./reversal.ts";

const options = {
  dir: { type: "string", short: "C" },
  list: { type: "boolean" },
  show: { type: "string" },
  json: { type: "boolean" },
} as const;

/** The exit code. Throws UsageError, and Failure where undo cannot be had. */
export async function undo(args: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = parseArguments("undo", args, options);
  if (positionals.length > 0) {
    const remedy = "To look at one file: croft undo --show PATH.";
    throw new UsageError("E_ARGUMENTS", "Undo takes back a whole turn.", remedy);
  }
  if (values.list === true && values.show !== undefined) {
    throw new UsageError("E_ARGUMENTS", "--list and --show do not go together.", "See croft undo --help.");
  }
  const json = values.json === true;
  const { undo, root } = undoOf(values.dir, io);
  if (values.list === true) return list(undo, { json }, io);
  if (values.show !== undefined)
    return show(undo, { path: isAbsolute(values.show) ? relative(root, values.show) : values.show, json }, io);
  return report(await undo.undo(io.signal), { type: "undo", root, json }, io);
}

type Format = { json: boolean };

async function list(undo: Undo, { json }: Format, io: Io): Promise<number> {
  const turns = undo.turns().toReversed();
  for (const turn of turns) {
    io.out.write(json ? jsonLine({ type: "turn", ...turn }) : await withoutSecrets(`${turnLines(turn).join("\n")}\n`));
  }
  if (turns.length === 0 && !json) io.err.write("croft has changed nothing here that undo knows of.\n");
  return 0;
}

async function show(undo: Undo, { path, json }: Format & { path: string }, io: Io): Promise<number> {
  const plain = path.replace(/^(\.\/)+/, "");
  const versions = await undo.versions(plain);
  if (versions === undefined) {
    throw new Failure("E_NOT_CHANGED", `Undo would not change ${JSON.stringify(plain)}.`, {
      remedy: "See croft undo --list for the files of each turn; paths are relative to the project.",
    });
  }
  const { turn, diff, kept } = versions;
  if (json) io.out.write(jsonLine({ type: "versions", path: plain, turn, diff, kept }));
  else io.out.write(escapeText(diff));
  if (!json && kept !== undefined) io.err.write(`What undo would put there lies at ${escapeText(kept)}\n`);
  return 0;
}
