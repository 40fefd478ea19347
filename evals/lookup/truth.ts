/** The uses of a name as ripgrep, ctags and Pygments see them: independent of the offline model, and not infallible. */

import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { rgPath } from "@vscode/ripgrep";
import type { Tag } from "./draw.ts";

const code = /\.(?:[cm]?[jt]sx?|pyi?|pyx|go|rs|java|c|h|cc|cpp|cxx|hh|hpp|hxx)$/;
const script = fileURLToPath(new URL("truth.py", import.meta.url));

/** Every `path:line` that has the whole name in code, is no definition and no import. */
export function usesOf(root: string, name: string, tags: readonly Tag[]): Set<string> {
  const pattern = `(?:^|[^\\w$])${name.replaceAll("$", "\\$")}(?:[^\\w$]|$)`;
  const args = [
    "--no-config",
    "--no-require-git",
    "--sort=path",
    "--null",
    "-n",
    "--no-heading",
    "-e",
    pattern,
    "--",
    ".",
  ];
  const { stdout } = spawnSync(rgPath, args, { cwd: root, encoding: "utf8", maxBuffer: 1 << 28 });
  const places = stdout.split("\n").flatMap((line): [string, number][] => {
    const [path = "", rest = ""] = line.split("\0");
    return code.test(path) ? [[path.replace(/^\.\//, ""), Number.parseInt(rest, 10)]] : [];
  });
  const request = JSON.stringify({ root, name, places });
  const run = spawnSync("python3", [script], { input: request, encoding: "utf8", maxBuffer: 1 << 28 });
  if (run.status !== 0) throw new Error(run.stderr);
  const kinds: string[] = JSON.parse(run.stdout);
  const defined = new Set(tags.filter((tag) => tag.name === name).map((tag) => `${tag.path}:${tag.line}`));
  return new Set(
    places
      .filter((_, i) => kinds[i] === "code")
      .map(([path, line]) => `${path}:${line}`)
      .filter((place) => !defined.has(place)),
  );
}
