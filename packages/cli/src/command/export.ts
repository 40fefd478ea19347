/** `croft export`: a session as Markdown. */

import { resolve } from "node:path";
import { parseArguments } from "../arguments.ts";
import { chooseRoot, currentFolder } from "../config/root.ts";
import { exitCodes } from "../exit.ts";
import type { Io } from "../io.ts";
import { writeTranscript, writeTranscriptTo } from "../trace/write-transcript.ts";
import { escapeLine } from "../ui/escape.ts";
import { UsageError } from "../usage.ts";
import { lastSession, sessionNamed, sessionsFolder } from "../session/find-session.ts";

const options = { dir: { type: "string", short: "C" }, out: { type: "string", short: "o" } } as const;

/** Writes it to stdout, or to a file. The exit code. Throws UsageError. */
export async function exportSession(args: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = parseArguments("export", args, options);
  const [name, ...more] = positionals;
  if (more.length > 0) {
    throw new UsageError(
      "E_ARGUMENTS",
      "One session can be exported at a time.",
      "Usage: croft export [id] [--out FILE]",
    );
  }
  const folder = await sessionsFolder(io, values.dir);
  const root = (): string => chooseRoot({ asked: values.dir, cwd: currentFolder(), home: io.environment.home });
  const session = name === undefined ? await lastSession(folder, root()) : sessionNamed(name, folder);
  if (values.out === undefined) {
    return (await writeTranscript(session, (text) => io.out.write(text), io.signal)) ? 0 : exitCodes.cancelled;
  }
  const out = resolve(currentFolder(), values.out);
  if (!(await writeTranscriptTo(out, session, io.signal))) return exitCodes.cancelled;
  io.err.write(`${escapeLine(out)}\n`);
  return 0;
}
