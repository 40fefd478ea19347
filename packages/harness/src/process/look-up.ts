/** Why a program did not start in an enclosure: its file system and its PATH are another's, so it is asked there. */

import type { Failure } from "../error.ts";
import type { Confined, Enclosure } from "./enclosure.ts";
import { startJob, type JobParts } from "./job.ts";
import { absent, notExecutable, soughtInFolder, soughtInPath } from "./system/program.ts";

/** Prints nothing for a program that could be started; else what is wrong, and PATH. */
const script = `
name=$1
case $name in
  */*) set -- "$name" ;;
  *) IFS=:; set -f; set --; for folder in $PATH; do set -- "$@" "$folder/$name"; done ;;
esac
found=absent
for file do
  [ -f "$file" ] || continue
  [ -x "$file" ] && exit
  found=blocked
done
printf '%s %s' "$found" "$PATH"
`;

/** Milliseconds after which it is not waited for. */
const lookUpMs = 10_000;

/** Exit codes by which whoever starts a program for another tells that it could not. */
export const couldNotStart: ReadonlySet<number | null> = new Set([126, 127]);

/** E_NO_PROGRAM, or undefined where the program is there and the exit code was its own. */
export async function whyNotStarted(
  enclosure: Enclosure,
  command: Confined,
  pipes: JobParts["pipes"],
  signal: AbortSignal,
): Promise<Failure | undefined> {
  const [name] = command.argv;
  await using launch = await enclosure.launch({ ...command, argv: ["sh", "-c", script, "sh", name] }, signal);
  const chunks: Uint8Array[] = [];
  const job = await startJob({ launch, pipes, take: async (bytes) => void chunks.push(bytes) });
  const timer = setTimeout(() => void job.end(), lookUpMs);
  const { code } = await job.done.finally(() => clearTimeout(timer));
  const [found, path = ""] = Buffer.concat(chunks).toString().split(/ (.*)/s);
  if (code !== 0) return undefined;
  if (found === "blocked") return notExecutable(name);
  return found === "absent" ? absent(name, name.includes("/") ? soughtInFolder : soughtInPath(path)) : undefined;
}
