/** The user's own commands and skills, and the project's, as commands of the chat. */

import { code } from "../markdown.ts";
import { withProject } from "../project-files.ts";
import type { Command, Talk } from "../talk.ts";
import { expanded } from "./expand.ts";
import type { Own, OwnFiles } from "./own.ts";
import { readProjects, readUsers } from "./read-own.ts";

/** Those of the user come first: no project puts something else in their place. Never throws. */
async function findOwn(
  { io, root, current }: Pick<Talk, "io" | "root" | "current">,
  signal: AbortSignal,
): Promise<OwnFiles> {
  const { configHome, home } = io.environment;
  const users = await readUsers(configHome, home);
  const read = withProject({ root, rules: current.rules }, (workspace) => readProjects(workspace, signal));
  const projects = await read.catch(() => ({ own: [], unusable: [] })); // the project is gone
  const taken = new Set(users.own.map(({ name }) => name));
  return {
    own: [...users.own, ...projects.own.filter(({ name }) => !taken.has(name))],
    unusable: [...users.unusable, ...projects.unusable],
  };
}

/** Milliseconds for which what was found is used again. */
const freshMs = 3_000;

/** The same, for whoever asks with every key that is pressed. */
export function ownFinder(): (talk: Parameters<typeof findOwn>[0], signal: AbortSignal) => Promise<OwnFiles> {
  let found: { at: number; files: OwnFiles } | undefined;
  return async (talk, signal) => {
    if (found !== undefined && performance.now() - found.at < freshMs) return found.files;
    const files = await findOwn(talk, signal);
    if (!signal.aborted) found = { at: performance.now(), files };
    return files;
  };
}

/** Says the text to the model, what was typed behind the name put into it. */
export function commandFrom(own: Own): Command {
  const { name, kind, of, path, description, takes } = own;
  return {
    name,
    takes,
    help: `${description} (${of === "user" ? "yours" : path})`,
    run(talk, rest, signal) {
      for (const line of withheld(own)) talk.screen.tell(line);
      const text = expanded(own.body, rest).trim();
      const folder = path.slice(0, path.lastIndexOf("/"));
      const where = kind === "skill" && of === "project" ? `The skill ${name}; its files are in ${folder}/.\n\n` : "";
      return talk.say(where + text, signal);
    },
  };
}

/** What the file asks for and does not get. */
function withheld({ path, refused, body }: Own): string[] {
  const rights = refused.map((key) => `${code(key)} in ${code(path)} grants nothing: you are asked as always.`);
  const runs = /(?:^|\s)!`[^`\n]+`/u.test(body);
  return runs ? [...rights, `The commands in ${code(path)} are not run; the model reads them as text.`] : rights;
}
