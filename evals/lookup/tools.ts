/** The three tools the offline model asks for, over real files: enough to measure it with, no fence and no gate. */

import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { rgPath } from "@vscode/ripgrep";

export type ToolAnswer = { text: string; isError: boolean };
type Input = { readonly [field: string]: unknown };

/** Answers one call in the formats of the real tools. */
export function runTool(root: string, name: string, input: unknown): ToolAnswer {
  const fields: Input = typeof input === "object" && input !== null ? { ...input } : {};
  const tool = { search, read_file: readFile, list_files: listFiles }[name];
  if (tool === undefined) return { text: `There is no tool ${name}.`, isError: true };
  try {
    return { text: tool(root, fields), isError: false };
  } catch (error) {
    return { text: error instanceof Error ? error.message : String(error), isError: true };
  }
}

function text(input: Input, field: string): string | undefined {
  return typeof input[field] === "string" ? input[field] : undefined;
}

function number(input: Input, field: string, otherwise: number): number {
  return typeof input[field] === "number" ? input[field] : otherwise;
}

function search(root: string, input: Input): string {
  const limit = number(input, "limit", 100);
  const glob = text(input, "glob");
  const args = ["--no-config", "--no-require-git", "--sort=path", "--null", "-n", "--no-heading", "--color=never"];
  if (input["literal"] === true) args.push("-F");
  if (input["ignore_case"] === true) args.push("-i");
  if (glob !== undefined) args.push("--glob", glob);
  args.push("--glob", "!.env*", "-e", text(input, "pattern") ?? "", "--", text(input, "path") ?? ".");
  const run = spawnSync(rgPath, args, { cwd: root, encoding: "utf8", maxBuffer: 1 << 28, timeout: 60_000 });
  if (run.status === 2) throw new Error(`Invalid input: pattern: ${run.stderr.trim()}`);
  const lines = run.stdout.split("\n").filter((line) => line !== "");
  if (lines.length === 0) return "No matches.";
  const shown = lines.slice(0, limit).map((line) => {
    const [file = "", rest = ""] = line.split("\0");
    const [, at = "", found = ""] = /^(\d+):(.*)$/s.exec(rest) ?? [];
    return `${shownPath(file)}:${at}: ${found.length > 300 ? `${found.slice(0, 299)}…` : found}`;
  });
  if (lines.length > limit) shown.push(`(stopped at ${limit} matches; narrow the pattern, or give a path or glob)`);
  return shown.join("\n");
}

function shownPath(path: string): string {
  const plain = path.replace(/^\.\//, "");
  return /[\x00-\x1f"\\]/.test(plain) ? JSON.stringify(plain) : plain;
}

function readFile(root: string, input: Input): string {
  const path = text(input, "path") ?? "";
  const offset = number(input, "offset", 1);
  const limit = number(input, "limit", 400);
  if (/(?:^|\/)\.env/.test(path)) throw new Error(`Access to ${path} is refused: it may hold secrets.`);
  const full = join(root, path);
  const stat = statSync(full, { throwIfNoEntry: false });
  if (stat === undefined) throw new Error(`${path} does not exist.`);
  if (!stat.isFile()) throw new Error(`${path} is a directory: use list_files.`);
  if (stat.size > 1 << 20) throw new Error(`${path} is too large: search it.`);
  const lines = readFileSync(full, "utf8").replace(/\n$/, "").split(/\r?\n/);
  const shown = lines.slice(offset - 1, offset - 1 + limit);
  const last = offset + shown.length - 1;
  const more = last < lines.length ? [`(continue with offset ${last + 1})`] : [];
  return [
    `${path}: lines ${offset}-${last} of ${lines.length}`,
    ...shown.map((line, i) => `${offset + i}\t${line}`),
    ...more,
  ].join("\n");
}

function listFiles(root: string, input: Input): string {
  const path = text(input, "path") ?? ".";
  const depth = number(input, "depth", 1);
  const found: string[] = [];
  const name = text(input, "glob")?.replace(/^\*\*\//, "");
  function walk(folder: string, left: number): void {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true }).toSorted((a, b) =>
      a.name < b.name ? -1 : 1,
    )) {
      if (entry.name === ".git" || entry.name === "node_modules") continue;
      const below = folder === "." ? entry.name : `${folder}/${entry.name}`;
      if (name === undefined || name === entry.name) found.push(entry.isDirectory() ? `${below}/` : below);
      if (entry.isDirectory() && left > 1) walk(below, left - 1);
    }
  }
  walk(path, depth);
  return found.length === 0 ? "(empty)" : found.slice(0, 300).join("\n");
}
