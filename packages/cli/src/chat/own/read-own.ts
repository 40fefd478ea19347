/** Finds the files that are commands and skills, and reads them. */

import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { asFailure, type Workspace } from "@croft/harness";
import { shortened } from "../../config/shortened.ts";
import { pathsIn } from "../project-files.ts";
import { readHeaded } from "./frontmatter.ts";
import type { Own, OwnFiles, Unusable } from "./own.ts";

/** Files of one folder, levels of it, and UTF-16 units of a file: such files are small and few. */
const filesMost = 200;
const levelsMost = 4;
const longest = 100_000;

/** In a project, the first of two with the same name counts. */
const commandFolders = [".croft/commands", ".claude/commands"] as const;
const skillFolders = [".croft/skills", ".claude/skills"] as const;

/** What a head may hold elsewhere, and which here lets nobody do anything. */
const granting = ["allowed-tools", "tools", "permission-mode", "permissions", "hooks"] as const;

/** `path`: below `folder`, which is `shown` to people. */
type Found = Pick<Own, "kind" | "of"> & { shown: string; path: string; read: () => Promise<string> };

/** Of the user: `croft/commands` and `croft/skills` below the config folder. */
export async function readUsers(configHome: string | undefined, home: string | undefined): Promise<OwnFiles> {
  if (configHome === undefined) return { own: [], unusable: [] };
  const found = (["command", "skill"] as const).flatMap((kind) => {
    const folder = join(configHome, "croft", `${kind}s`);
    return filesIn(folder).map((file): Found => {
      const read = async (): Promise<string> => textIn(file);
      return { kind, of: "user", shown: shortened(file, home), path: relative(folder, file), read };
    });
  });
  return readAll(found);
}

/** Of a project, through its fence. Never throws but for what is a fault in croft. */
export async function readProjects(workspace: Workspace, signal: AbortSignal): Promise<OwnFiles> {
  const found: Found[] = [];
  for (const kind of ["command", "skill"] as const) {
    for (const folder of kind === "command" ? commandFolders : skillFolders) {
      const paths = await pathsIn(workspace, { folder, depth: levelsMost, most: filesMost }, signal);
      for (const shown of paths) {
        const read = async (): Promise<string> => (await workspace.read(shown, signal)).text;
        found.push({ kind, of: "project", shown, path: shown.slice(folder.length + 1), read });
      }
    }
  }
  return readAll(found);
}

async function readAll(found: readonly Found[]): Promise<OwnFiles> {
  const own: Own[] = [];
  const unusable: Unusable[] = [];
  for (const one of found) {
    const name = nameOf(one);
    if (name === undefined || own.some((other) => other.name === name)) continue;
    try {
      own.push(await ownFrom(one, name));
    } catch (thrown) {
      unusable.push({ path: one.shown, reason: asFailure(thrown).narration });
    }
  }
  return { own, unusable };
}

async function ownFrom({ kind, of, shown, read }: Found, name: string): Promise<Own> {
  const { data, body } = await readHeaded((await read()).slice(0, longest));
  const first = body.split("\n").find((line) => line.trim() !== "") ?? "";
  const description = onOneLine(data.get("description") ?? first).replace(/^#+ /u, "");
  const hint = data.get("argument-hint");
  const takes = hint === undefined ? undefined : onOneLine(hint);
  const refused = granting.filter((key) => data.has(key));
  return { name, kind, of, path: shown, description, takes, refused, body };
}

function onOneLine(text: string): string {
  return text.replaceAll(/\s+/gu, " ").trim();
}

/** `review.md` is review, `frontend/test.md` is frontend:test, and `deploy/SKILL.md` is deploy. Undefined: it is none. */
function nameOf({ kind, path }: Found): string | undefined {
  const [, stem] = (kind === "skill" ? /^(.+)\/SKILL\.md$/u : /^(.+)\.md$/u).exec(path) ?? [];
  const name = stem?.replaceAll("/", ":");
  return name !== undefined && /^[\w.:-]+$/u.test(name) ? name : undefined;
}

function filesIn(folder: string): string[] {
  try {
    if (!existsSync(folder)) return [];
    const entries = readdirSync(folder, { recursive: true, encoding: "utf8" });
    return entries
      .filter((entry) => entry.split("/").length <= levelsMost && entry.endsWith(".md"))
      .toSorted()
      .slice(0, filesMost)
      .map((entry) => join(folder, entry));
  } catch {
    return [];
  }
}

function textIn(file: string): string {
  if (!statSync(file).isFile()) throw new Error(`${file} is no file`);
  return new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(file));
}
