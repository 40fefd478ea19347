/** Scripts that a project's check is made of: nobody knows them by their names alone, but the check names them. */

import { posix } from "node:path";
import { checkFileKind, isCheckScript } from "../../policy/check-files.ts";
import { contentOf } from "../place/content.ts";
import type { Root } from "../place/place.ts";
import { ifReachable } from "../place/system.ts";

/** Larger ones are no scripts. Bytes. */
const largest = 262_144;
const mostScripts = 100;
/** What parts the words of a shell line, of a Makefile and of JSON. */
const between = /[\s"'`;|&()<>=,:$@{}[\]\\]+/;

/**
 * Paths of the scripts that the check command, what defines the check in the project's own folder, or one of these
 * scripts names. Throws the system's error.
 */
export function namedScripts(project: Root, command: string): ReadonlySet<string> {
  const found = new Set<string>();
  const texts = [command, ...definitions(project)];
  for (let text = texts.pop(); text !== undefined && found.size < mostScripts; text = texts.pop()) {
    for (const word of new Set(text.split(between))) {
      if (!isCheckScript(word) || found.has(posix.normalize(word))) continue;
      const script = textAt(project, word);
      if (script === undefined) continue;
      found.add(posix.normalize(word)).add(script.path);
      texts.push(script.text);
    }
  }
  return found;
}

/**
 * Names of what would be taken for the check, or for done: once a file or folder of a goal's name is there, make finds
 * nothing to do and is content, and Python prefers a module of the project to an installed one. `command`: with the
 * scripts it may call; `makefile`: their targets and what these need. `names`: those that are there already.
 */
export function goalsOf(command: string, makefile: string, names: ReadonlySet<string>): ReadonlySet<string> {
  const made = [...command.matchAll(/\bg?make\b([^;&|\n"]*)/g)].flatMap(([, words = ""]) => words.split(between));
  const rules = made.length === 0 ? [] : makefile.split("\n").filter(isRule);
  const goals = [...made, ...rules.flatMap((line) => line.split(between))].filter((word) => /^\w[\w-]*$/.test(word));
  const modules = [...command.matchAll(/\bpython[\d.]*\s+(?:-\w+\s+)*?-m\s+(\w+)/g)].map(([, name = ""]) => name);
  const started = [...modules, ...(/\bpytest\b/.test(command) ? pytestModules : [])];
  return new Set([...goals, ...started, ...started.map((name) => `${name}.py`)].filter((name) => !names.has(name)));
}

/** `target: what it needs`; no command, comment or variable. */
function isRule(line: string): boolean {
  return line.includes(":") && /^[^\s#.=][^=]*$/.test(line);
}

/** What pytest itself is made of. */
const pytestModules: readonly string[] = ["pytest", "_pytest", "pluggy", "iniconfig"];

function definitions(project: Root): string[] {
  const names = [...project.top.entries()].map(({ name }) => name);
  return names.flatMap((name) => (checkFileKind(name) === "definition" ? (textAt(project, name)?.text ?? []) : []));
}

function textAt(project: Root, path: string): { path: string; text: string } | undefined {
  const place = posix.isAbsolute(path) ? undefined : ifReachable(() => project.resolve(path));
  try {
    if (place?.kind !== "file" || place.size > largest) return undefined;
    const bytes = ifReachable(() => contentOf(place));
    return bytes === undefined ? undefined : { path: place.path, text: Buffer.from(bytes).toString("latin1") };
  } finally {
    place?.release();
  }
}
