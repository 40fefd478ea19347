/** The search backend made of ripgrep. */

import { existsSync, statSync } from "node:fs";
import { Failure } from "../../error.ts";
import { startProgram, type Child, type Exit } from "../../process/spawn.ts";
import { wantedBy } from "../walk/glob-filter.ts";
import { isRepository } from "../walk/repository.ts";
import { outputReader } from "./ripgrep-output.ts";
import { unsupported } from "./refusals.ts";
import { locateRipgrep } from "./ripgrep-program.ts";
import type { BackendDone, Lookup, Proposal, SearchBackend } from "../search.ts";

/** No settings of the user's, nothing of git's own; `$` stands before the end of a line in CRLF too. */
const always = ["--no-config", "--glob=!.git", "--no-ignore-global", "--crlf"];
/** What is printed, as ripgrep-output.ts reads it. Not the text of a line: that is read through the fence. */
const format = ["--null", "--line-number", "--column", "--byte-offset", "--max-columns=1"];
const layout = ["--no-heading", "--with-filename", "--color=never", "--no-ignore-messages"];

/** Milliseconds. A FIFO in place of an ignore file would hold ripgrep up for ever. */
const maxSearchMs = 60_000;

/**
 * Searches with the installed ripgrep, or the `rg` of `searchPath` (in the form of PATH). Links are not followed;
 * FIFOs, devices, binary files (ripgrep meets a NUL in them) and ignored files are passed over, and that some were
 * ignored is said. A named file is searched whatever it is. Throws E_SEARCH_TIMEOUT after `maxMs` milliseconds.
 */
export function ripgrep(searchPath: string, maxMs: number = maxSearchMs): SearchBackend {
  async function* search(lookup: Lookup, cancelled: AbortSignal): AsyncGenerator<Proposal | BackendDone> {
    if (lookup.follow === true) throw unsupported("ripgrep");
    const late = AbortSignal.timeout(maxMs);
    const signal = AbortSignal.any([cancelled, late]);
    const argv = argumentsFor(lookup);
    const accepts = wantedBy(lookup);
    const program = await locateRipgrep(searchPath);
    const { cwd } = lookup;
    const which = [...always, ...scopeOf(lookup), ...ignoreRules(lookup)];
    const isFolder = lookup.file === undefined;
    const found: [string, ...string[]] = [program, ...which, ...argv];
    await using child = await startProgram({ argv: isFolder ? bounded(found) : found, cwd, env: {} }, signal);
    await using probe = isFolder
      ? await startProgram({ argv: bounded([program, ...which, ...listing]), cwd, env: {}, read: "stderr" }, signal)
      : undefined;
    const ignored = probe === undefined ? nothingPassedOver : passedOverBy(probe, lookup);
    const read = outputReader();
    let unnamed = 0;
    let given = 0;
    for await (const chunk of child.output) {
      for (const proposal of read(chunk)) {
        if (proposal === undefined) unnamed++;
        if (proposal === undefined || !accepts(proposal.path.split("/"), false)) continue;
        if (given === lookup.limit) {
          yield { done: true, complete: false, stopped: true };
          return;
        }
        given++;
        yield proposal;
      }
    }
    if (late.aborted && !cancelled.aborted) throw tookTooLong(maxMs);
    signal.throwIfAborted();
    const unreadable = problemsOf(await child.exit);
    yield doneWith({ passedOver: await ignored, unreadable, unnamed });
  }
  return { name: "ripgrep", supportsFollow: false, search };
}

function scopeOf({ hidden, ignored, depth, file }: Lookup): string[] {
  return [
    ...(hidden === false && file === undefined ? [] : ["--hidden"]),
    ...(ignored === true ? ["--no-ignore"] : []),
    ...(depth === undefined ? [] : [`--max-depth=${depth}`]),
  ];
}

function tookTooLong(maxMs: number): Failure {
  return new Failure("E_SEARCH_TIMEOUT", `The search was ended after ${maxMs / 1000} seconds.`, {
    remedy: "Narrow it with path or glob.",
  });
}

/** Kilobytes that ripgrep may take in a folder, and where the shell is that sees to it. */
const maxMemoryKilobytes = 2 * 2 ** 20;
const shell = "/bin/sh";

/**
 * ripgrep reads ignore files through links and whole, whatever they are: a repository with `.ignore -> /dev/zero` in it
 * would take all memory there is. A named file needs no such bound, for it is not read into memory.
 */
function bounded(argv: [string, ...string[]]): [string, ...string[]] {
  if (process.platform !== "linux" || !existsSync(shell)) return argv;
  return [shell, "-c", `ulimit -v ${maxMemoryKilobytes} && exec "$@"`, "sh", ...argv];
}

/**
 * Within a repository, ripgrep honours ignore files as git does, from its top folder down, but .ignore from further up
 * too. Outside, they are to count as well, but then it stops at no folder above. From the root it need not look above
 * at all, if that is in no repository or the top of one: what stands there (in /tmp, say) may be anybody's. In a search
 * that starts further down, those above the root count all the same, which is wrong and rare.
 */
function ignoreRules({ cwd, atRoot, file }: Lookup): string[] {
  if (file !== undefined) return ["--no-ignore"];
  const within = isInRepository(cwd);
  const nothingAbove = atRoot && (!within || isRepository(cwd));
  return [...(within ? [] : ["--no-require-git"]), ...(nothingAbove ? ["--no-ignore-parent"] : [])];
}

/** Climbs by `..`, not by name: folders may be renamed meanwhile. */
function isInRepository(cwd: string): boolean {
  for (let folder = cwd; ; folder += "/..") {
    if (isRepository(folder)) return true;
    const above = identityOf(`${folder}/..`);
    if (above === undefined || above === identityOf(folder)) return false;
  }
}

/** Undefined for what cannot be looked at. */
function identityOf(folder: string): string | undefined {
  try {
    const { dev, ino } = statSync(folder);
    return `${dev}:${ino}`;
  } catch {
    return undefined;
  }
}

/** The pattern follows -e and the path stands behind --, so that neither can be taken for an option. */
function argumentsFor(lookup: Lookup): string[] {
  if (/[\n\0]/.test(lookup.pattern)) {
    throw new Failure(
      "E_BAD_PATTERN",
      "The pattern holds a line break or a NUL, and a search looks at one line at a time.",
      {
        remedy: "Search for one of its lines.",
      },
    );
  }
  return [
    ...format,
    ...layout,
    ...(lookup.file === undefined ? [] : ["--text"]),
    ...(lookup.literal === true ? ["--fixed-strings"] : []),
    ...(lookup.ignoreCase === true ? ["--ignore-case"] : []),
    ...(lookup.perFile === undefined ? [] : [`--max-count=${lookup.perFile}`]),
    ...(lookup.iglob === undefined ? namesOnly(lookup.glob) : []),
    "-e",
    lookup.pattern,
    "--",
    lookup.file === undefined ? "." : `./${lookup.file}`,
  ];
}

/**
 * A filter for file names made of the end of a glob, to spare ripgrep files that `globFilter` would drop. ripgrep's own
 * --glob would bring ignored files back; a file type does not.
 */
function namesOnly(glob: string | undefined): string[] {
  const name = glob?.slice(glob.lastIndexOf("/") + 1) ?? "";
  return /^[\w.?*-]+$/.test(name) && !name.includes("**") ? [`--type-add=croft:${name}`, "--type=croft"] : [];
}

/** Lists files with a word about each that is passed over: the only way in which ripgrep tells. */
const listing = ["--files", "--debug", "--threads=1", "--", "."];

/** Whether anything was left out for such a reason. */
type PassedOver = { ignored: boolean; hidden: boolean };

const nothingPassedOver: PassedOver = { ignored: false, hidden: false };

/** Ends the listing once all is known: where there are many such entries, telling each takes far longer than the search. */
async function passedOverBy(probe: Child, { hidden, ignored }: Lookup): Promise<PassedOver> {
  const found = { ignored: ignored === true, hidden: hidden !== false };
  let text = "";
  for await (const chunk of probe.output) {
    text = text.slice(-ignoredSign.length) + Buffer.from(chunk).toString("latin1");
    found.ignored ||= text.includes(ignoredSign);
    found.hidden ||= text.includes(hiddenSign);
    if (found.ignored && found.hidden) break;
  }
  return { ignored: found.ignored && ignored !== true, hidden: found.hidden && hidden === false };
}

/** Said of what .gitignore, .ignore and .git/info/exclude rule out, unlike what --glob does; and of names with a dot. */
const ignoredSign = "Ignore(IgnoreMatch(Gitignore(";
const hiddenSign = "Ignore(IgnoreMatch(Hidden";

/** How many places could not be read. Throws for what kept ripgrep from searching at all. */
function problemsOf(exit: Exit): number {
  if (exit.code === 0 || exit.code === 1) return 0;
  const problems = exit.tail.trim().split("\n");
  if (exit.code === 2 && problems.every((line) => /\(os error \d+\)$/.test(line))) return problems.length;
  const explanation = exit.tail.trim().replace(/^rg: /, "").split("\n\n", 1).join("");
  if (/regex/i.test(explanation)) {
    throw new Failure("E_BAD_PATTERN", `The pattern cannot be read: ${explanation}`, {
      remedy: "Correct it, or set literal to search for it as plain text.",
    });
  }
  if (/memory allocation/.test(explanation)) {
    throw new Failure("E_SEARCH_FAILED", "The search needed more memory than it may take.", {
      remedy: "Narrow it with path: some file there has a line, or is an ignore file, of enormous size.",
    });
  }
  throw new Failure("E_SEARCH_FAILED", `The search failed: ${explanation || (exit.signal ?? `code ${exit.code}`)}`);
}

function doneWith(found: { passedOver: PassedOver; unreadable: number; unnamed: number }): BackendDone {
  const parts = [
    ...(found.passedOver.ignored ? ["ignored files (.gitignore and the like)"] : []),
    ...(found.passedOver.hidden ? ["hidden files"] : []),
    ...(found.unreadable > 0 ? [`${found.unreadable} files or folders that cannot be read`] : []),
    ...(found.unnamed > 0 ? [`${found.unnamed} matches in files whose names are not UTF-8`] : []),
  ];
  const complete = found.unreadable === 0 && found.unnamed === 0;
  return { done: true, complete, skipped: parts.length === 0 ? undefined : parts.join("; ") };
}
