/**
 * The tasks as they lie in their folder, each a folder of its own: `task.md`, the words; `project/`, what it is about;
 * `hidden/`, tests that are put in when the agent has ended; `solution.patch`, which makes them pass.
 */

import { readdirSync } from "node:fs";
import { join } from "node:path";

export type Task = { name: string; words: string; project: string; hidden: string; solution: string };

const home = join(import.meta.dirname, "../tasks");

/** Those named, else all, by the alphabet. Throws for a name that none has. */
export function tasks(wanted: readonly string[] = []): Task[] {
  const names = readdirSync(home, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [entry.name] : [],
  );
  const unknown = wanted.filter((name) => !names.includes(name));
  if (unknown.length > 0) throw new Error(`There is no task ${unknown.join(", ")}. There are ${names.join(", ")}.`);
  return names
    .filter((name) => wanted.length === 0 || wanted.includes(name))
    .toSorted()
    .map((name) => {
      const at = (part: string): string => join(home, name, part);
      return {
        name,
        words: at("task.md"),
        project: at("project"),
        hidden: at("hidden"),
        solution: at("solution.patch"),
      };
    });
}
