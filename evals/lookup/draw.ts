/** Draws names to ask for: definitions that Universal Ctags finds in the code a project itself wrote. */

import { spawnSync } from "node:child_process";
import { rgPath } from "@vscode/ripgrep";

export type Tag = { name: string; path: string; line: number; kind: string; scopeKind?: string; pattern?: string };

/** Not the project's own code, or written by a machine. */
const excluded =
  /^Makefile\.js$|(?:^|\/)(?:vendor|third_party|node_modules|dist|build|deps|fixtures?|testdata)\/|\.min\.|\.d\.ts$|[._-]generated\b/;
const globs = [
  "ts",
  "tsx",
  "mts",
  "cts",
  "js",
  "jsx",
  "mjs",
  "cjs",
  "py",
  "go",
  "rs",
  "java",
  "c",
  "h",
  "cc",
  "cpp",
  "hpp",
];
const kinds = new Set(
  "function method class struct interface type enum macro constant variable member field trait typedef func enumerator union alias property namespace module enumConstant".split(
    " ",
  ),
);

/** Takes a name from elsewhere, as an import does. */
const destructures = /^\/\^\s*(?:export )?(?:const|let|var) (?:[{[]|.*\brequire\()/;
/** What is defined in these is a local. */
const locals = new Set(["function", "method", "func", "getter", "setter", "generator"]);

/** Every definition in the code that ripgrep would search, locals and parameters left out. */
export function tagsOf(root: string): Tag[] {
  const files = spawnSync(
    rgPath,
    ["--files", "--no-require-git", ...globs.flatMap((ending) => ["-g", `*.${ending}`])],
    {
      cwd: root,
      encoding: "utf8",
      maxBuffer: 1 << 28,
    },
  ).stdout;
  const wanted = files.split("\n").filter((path) => path !== "");
  const run = spawnSync(
    "ctags",
    [
      "--output-format=json",
      "--fields=+nKsZ",
      "--kinds-C=+p",
      "--kinds-C++=+p",
      "--langmap=TypeScript:+.tsx.mts.cts",
      "-L",
      "-",
      "-o",
      "-",
    ],
    { cwd: root, input: wanted.join("\n"), encoding: "utf8", maxBuffer: 1 << 30 },
  );
  return (
    run.stdout
      .split("\n")
      .filter((line) => line.startsWith("{"))
      .map((line): Tag => JSON.parse(line))
      // An impl block defines nothing new.
      .filter(({ kind }) => kind !== "implementation")
  );
}

/** `n` different names, the same for the same seed. */
export function draw(tags: readonly Tag[], n: number, seed: number): Tag[] {
  const eligible = tags.filter(
    ({ name, path, kind, scopeKind, pattern }) =>
      /^[A-Za-z_$][\w$]{3,}$/.test(name) &&
      !/^(?:__anon|Anonymous(?:Class|Function))/.test(name) &&
      kinds.has(kind) &&
      !locals.has(scopeKind ?? "") &&
      !excluded.test(path) &&
      !destructures.test(pattern ?? ""),
  );
  const random = generator(seed);
  const drawn = new Map<string, Tag>();
  for (let tries = 0; drawn.size < n && tries < 100 * n; tries++) {
    const tag = eligible[Math.floor(random() * eligible.length)];
    if (tag !== undefined && !drawn.has(tag.name)) drawn.set(tag.name, tag);
  }
  return [...drawn.values()];
}

/** mulberry32: numbers in [0, 1). */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
