/** The walker over both mechanisms, on real trees; ignore rules against git itself. */

import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { needs } from "../../../../../test/support/needs.ts";
import { policyFrom } from "../../policy/rules.ts";
import { readOnlyPolicy } from "../../policy/presets.ts";
import type { Policy } from "../../policy/policy.ts";
import { hasBeneath, openBeneath } from "../place/beneath.ts";
import { openChecked } from "../place/checked.ts";
import type { Done, Fence, ListOptions } from "../fence.ts";
import { fenceBy } from "../fence/on-disk.ts";
import { plantTree, type Planted } from "../tree.testing.ts";
import { fencedTrees } from "../fence/fenced.testing.ts";

const mechanisms = [
  { name: "beneath", open: openBeneath, here: hasBeneath() },
  { name: "checked", open: openChecked, here: true },
];
/** Through a variable, or the linter for packages takes mkfifo for one. */
const plantFifo = (place: string, program = "mkfifo") => execFileSync(program, [place]);
const link = (target: string): Planted => ({ link: target });
const open = () => new AbortController().signal;
const all = policyFrom([{ name: "all", globs: ["**"], access: ["read"], decision: "allow" }]);

/** Folders end in a slash, links in an @, what is neither in a ?. */
const marks = { file: "", directory: "/", link: "@", other: "?" };

async function listed(
  fence: Fence,
  folder: string,
  options: ListOptions = {},
): Promise<{ paths: string[]; done: Done }> {
  using place = fence.pin(folder, "list");
  const paths: string[] = [];
  const ends: Done[] = [];
  for await (const item of fence.list(place, options, open())) {
    if ("done" in item) ends.push(item);
    else paths.push(item.path + marks[item.kind]);
  }
  const [done] = ends;
  if (done === undefined || ends.length > 1) throw new Error("a scan ends with exactly one done");
  return { paths, done };
}

describe.each(mechanisms)("$name", ({ name, open: mechanism, here }) => {
  const runs = here && process.platform !== "win32";
  const plant = fencedTrees();
  const fenced = (entries: Record<string, Planted>, folder = ".", policy: Policy = all): Fence =>
    plant(entries, ({ root }) => fenceBy(mechanism, path.join(root, folder), policy)).fence;

  test.runIf(runs)("entries come in path order, hidden ones too, links by name only", async () => {
    const fence = fenced({
      "b/z": "",
      "b/a/x": "",
      "b.txt": "",
      ".hidden/f": "",
      a: "",
      "b/up": link(".."),
      out: link("OUTSIDE"),
      root: link("/"),
      gone: link("nowhere"),
    });
    expect(await listed(fence, ".")).toEqual({
      paths: [".hidden/", ".hidden/f", "a", "b/", "b/a/", "b/a/x", "b/up@", "b/z", "b.txt", "gone@", "out@", "root@"],
      done: { done: true, complete: true, skipped: undefined },
    });
  });

  test.runIf(runs)("depth counts from the listed folder", async () => {
    const fence = fenced({ "a/b/c/d": "", "a/x": "" });
    expect((await listed(fence, "a", { depth: 1 })).paths).toEqual(["a/b/", "a/x"]);
    expect((await listed(fence, "a", { depth: 2 })).paths).toEqual(["a/b/", "a/b/c/", "a/x"]);
  });

  test.runIf(runs).for([
    ["*.ts", ["src/a.ts", "src/deep/b.ts", "x.ts"]],
    ["src/*.ts", ["src/a.ts"]],
    ["src/**", ["src/a.ts", "src/c.js", "src/deep/", "src/deep/b.ts"]],
    ["./src/**/*.{ts,js}", ["src/a.ts", "src/c.js", "src/deep/b.ts"]],
    ["{src/{a,c}.*,x.{ts,js}}", ["src/a.ts", "src/c.js", "x.ts"]],
    ["deep/", ["src/deep/"]],
    ["[ab].ts", ["src/a.ts", "src/deep/b.ts"]],
    ["{", []],
  ] as const)("the glob %s", async ([glob, paths]) => {
    const fence = fenced({ "src/a.ts": "", "src/deep/b.ts": "", "src/c.js": "", "x.ts": "" });
    expect((await listed(fence, ".", { glob })).paths).toEqual(paths);
  });

  test.runIf(runs)("a glob is relative to the listed folder", async () => {
    const fence = fenced({ "src/a/b.ts": "", "a/b.ts": "" });
    expect((await listed(fence, "src", { glob: "a/*" })).paths).toEqual(["src/a/b.ts"]);
  });

  test
    .runIf(runs)
    .for(["../*", "a/../b", "{..,a}/b", "/etc/*", "C:\\*", "\\\\x\\*", "~/*", "!*.ts", "[a", "", "{a,b}".repeat(20)])(
    "the glob %s is refused",
    async (glob) => {
      await expect(listed(fenced({}), ".", { glob })).rejects.toMatchObject({ code: "E_BAD_GLOB" });
    },
  );

  test.runIf(runs)("denied entries are left out without a word, with all that lies in them", async () => {
    const entries = { ".env": "", ".env.example": "", ".git/config": "", "sub/.git/HEAD": "", "node_modules/a/b": "" };
    const fence = fenced({ ...entries, "sub/key.pem": "", "sub/a": "", ".gitignore": "" }, ".", readOnlyPolicy());
    expect(await listed(fence, ".")).toEqual({
      paths: [".env.example", ".gitignore", "sub/", "sub/a"],
      done: { done: true, complete: true, skipped: undefined },
    });
  });

  test.runIf(runs)(
    "an ignore file that makes every entry slow to judge does not keep an abort from being heard",
    async () => {
      const rules = Array.from({ length: 20_000 }, (_, index) => `a*${index}*b`).join("\n");
      const files = Array.from({ length: 2_000 }, (_, index) => [`aa${index}`, ""]);
      const fence = fenced({ ".gitignore": rules, ...Object.fromEntries(files) });
      using folder = fence.pin(".", "list");
      const heard = new AbortController();
      let timer: NodeJS.Timeout | undefined;
      const all = async (): Promise<void> => {
        for await (const _ of fence.list(folder, {}, heard.signal)) {
          timer ??= setTimeout(() => heard.abort(new Error("Enough.")), 20);
        }
      };
      await expect(all()).rejects.toThrow("Enough.");
      clearTimeout(timer);
    },
  );

  test.runIf(runs)("a file cannot be listed, and an aborted listing says why", async () => {
    const fence = fenced({ f: "", "d/x": "" });
    await expect(listed(fence, "f")).rejects.toMatchObject({ code: "E_NOT_FOLDER" });
    using folder = fence.pin("d", "list");
    const reason = new Error("enough");
    const scan = fence.list(folder, {}, AbortSignal.abort(reason));
    await expect(Array.fromAsync(scan)).rejects.toBe(reason);
  });

  test.runIf(runs)("stopping early leaves nothing open", async () => {
    const fence = fenced({ "a/b/c/d": "", "e/f": "" });
    using folder = fence.pin(".", "list");
    for await (const item of fence.list(folder, {}, open())) {
      if ("path" in item && item.path === "a/b/c/d") break;
    }
  });

  test.runIf(runs)("FIFOs are listed as neither file nor folder", async () => {
    const fence = fenced({ a: "" });
    plantFifo(path.join(fence.root, "pipe"));
    expect((await listed(fence, ".")).paths).toEqual(["a", "pipe?"]);
  });

  test.runIf(runs && process.platform === "linux")("odd names survive, and what is not UTF-8 is reported", async () => {
    const fence = fenced({ "a\nb": "", "tab\t\u001b[31m": "", "- --x": "", "caf\u00e9": "", "cafe\u0301": "" });
    writeFileSync(Buffer.concat([Buffer.from(`${fence.root}/bad`), Buffer.from([0xff])]), "");
    expect(await listed(fence, ".")).toEqual({
      paths: ["- --x", "a\nb", "cafe\u0301", "caf\u00e9", "tab\t\u001b[31m"],
      done: { done: true, complete: false, skipped: '1 with a name that is not UTF-8 ("bad\uFFFD")' },
    });
  });

  test.runIf(runs)("folders that cannot be read are reported", async () => {
    const fence = fenced({ "a/x": "", "shut/x": "", z: "" });
    chmodSync(path.join(fence.root, "shut"), 0);
    chmodSync(path.dirname(fence.root), 0o755);
    const asRoot = process.geteuid?.() === 0;
    if (asRoot) process.seteuid?.(65_534);
    try {
      expect(await listed(fence, ".")).toEqual({
        paths: ["a/", "a/x", "shut/", "z"],
        done: { done: true, complete: false, skipped: '1 that could not be read ("shut")' },
      });
      await expect(listed(fence, "shut")).rejects.toMatchObject({ code: "E_UNREADABLE" });
    } finally {
      if (asRoot) process.seteuid?.(0);
      chmodSync(path.join(fence.root, "shut"), 0o700);
    }
  });

  test.runIf(runs && name === "beneath")(
    "a tree 300 levels deep is walked to 256, and on from there when named",
    async () => {
      const fence = fenced({ [`${"d/".repeat(300)}f`]: "", z: "" });
      const last = Array.from({ length: 256 }, () => "d").join("/");
      const { paths, done } = await listed(fence, ".");
      expect([paths.length, paths.at(-2), paths.at(-1), done.complete]).toEqual([257, `${last}/`, "z", false]);
      expect(done.skipped).toMatch(/^1 too many levels down, to be listed by path \("d\/d\//u);
      expect(await listed(fence, last)).toMatchObject({ paths: { length: 45 }, done: { complete: true } });
    },
  );

  describe("ignore files", () => {
    /** Row: what it shows, the tree, the root within it, the folder listed, the paths and how many were ignored. */
    const table: readonly [string, Record<string, Planted>, string, string, string[], number][] = [
      [
        "hold outside git too",
        { ".gitignore": "*.log\nout/\n", "a.log": "", "out/x": "", "d/b.log": "", a: "" },
        ".",
        ".",
        [".gitignore", "a", "d/"],
        3,
      ],
      [
        "nested, and negated",
        {
          ".gitignore": "*.log\n",
          "d/.gitignore": "!keep.log\n/x\n",
          "d/keep.log": "",
          "d/b.log": "",
          "d/x": "",
          x: "",
        },
        ".",
        ".",
        [".gitignore", "d/", "d/.gitignore", "d/keep.log", "x"],
        2,
      ],
      [
        "negated below an ignored pattern",
        { ".gitignore": "out/*\n!out/web/\n", "out/web/i.html": "", "out/js/x": "" },
        ".",
        ".",
        [".gitignore", "out/", "out/web/", "out/web/i.html"],
        1,
      ],
      [
        "a folder taken back in by a nested file is whole",
        { ".gitignore": "foo\n", "a/.gitignore": "!foo\n", "a/foo/x": "", "foo/x": "" },
        ".",
        ".",
        [".gitignore", "a/", "a/.gitignore", "a/foo/", "a/foo/x"],
        1,
      ],
      [
        "above the root up to git's folder, not beyond",
        { ".gitignore": "*", "r/.git/HEAD": "", "r/.gitignore": ".cache/\n", "r/sub/.cache/x": "", "r/sub/a": "" },
        "r/sub",
        ".",
        ["a"],
        1,
      ],
      ["above the root only within git", { ".gitignore": "*", "sub/a": "" }, "sub", ".", ["a"], 0],
      [
        "in the exclude file of git",
        { ".git/info/exclude": "secret\n*.log", ".gitignore": "!b.log", "d/secret": "", "a.log": "", "b.log": "" },
        ".",
        "d",
        [],
        1,
      ],
      [
        ".ignore before .gitignore, whatever the folder",
        { ".ignore": "!a.log\nb\n", "d/.gitignore": "*.log\n!b\n", "d/a.log": "", "d/b": "", "d/c.log": "" },
        ".",
        "d",
        ["d/.gitignore", "d/a.log"],
        2,
      ],
      [
        "a repository within has its own rules",
        {
          ".gitignore": "*.log\n",
          ".ignore": "*.tmp",
          "r/.git": "gitdir: x",
          "r/a.log": "",
          "r/b.tmp": "",
          "c.log": "",
        },
        ".",
        ".",
        [".gitignore", ".ignore", "r/", "r/.git", "r/a.log"],
        2,
      ],
      [
        "a folder named outright is listed though it is ignored",
        { ".gitignore": "out/\n*.log\n", "out/a": "", "out/b.log": "" },
        ".",
        "out",
        ["out/a"],
        1,
      ],
      [
        "a link is no folder and no ignore file",
        { ".gitignore": "l/\n", "d/.gitignore": link("../ignore"), ignore: "*", l: link("d"), "d/a": "" },
        ".",
        ".",
        [".gitignore", "d/", "d/.gitignore@", "d/a", "ignore", "l@"],
        0,
      ],
      [
        "spaces, comments, CRLF and a byte order mark",
        { ".gitignore": "\ufeffa  \r\n#b\n\\#c\nd\\ \n\n", a: "", "#b": "", "#c": "", "d ": "", d: "" },
        ".",
        ".",
        ["#b", ".gitignore", "d"],
        3,
      ],
    ];

    test.runIf(runs).for(table)("%s", async ([, entries, root, folder, paths, ignored]) => {
      const skipped = ignored === 0 ? undefined : `${ignored} ignored (.gitignore and the like)`;
      const { paths: found, done } = await listed(fenced(entries, root), folder);
      const outsideGit = found.filter((entry) => !entry.startsWith(".git/"));
      expect({ paths: outsideGit, done }).toEqual({ paths, done: { done: true, complete: true, skipped } });
    });
  });
});

const git = (cwd: string, ...args: string[]) => {
  const env = { PATH: process.env["PATH"], GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" };
  return execFileSync("git", args, { cwd, env }).toString();
};

describe.runIf(process.platform !== "win32" && needs("git"))("against git", () => {
  const name = fc.constantFrom("a", "b", "ab", "a.b", "c d", "-", "[a]");
  const file = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join("/"));
  const piece = fc.constantFrom(
    "a",
    "b",
    "*",
    "?",
    "**",
    "/",
    ".",
    "[ab]",
    "[!a]",
    "\\",
    " ",
    "é",
    "*.b",
    "c d",
    "[",
    "-",
  );
  const line = fc.tuple(
    fc.constantFrom("", "", "!", "#", "/", "\\"),
    fc.array(piece, { maxLength: 5 }),
    fc.constantFrom("", "/", " "),
  );
  const ignoreFile = fc
    .array(line, { maxLength: 5 })
    .map((lines) => lines.map(([a, b, c]) => a + b.join("") + c).join("\n"))
    // git takes the letters before the first wildcard off a pattern with a slash, and then reads `**` in their place as
    // one at the start: to it `a**/x` matches "ax". Its documentation says otherwise, and so do we.
    .filter((text) => !/^!?(?=[^\n]*\/[^\n])[^*?[\\\n]*[^*?[\\\n/!]\*\*/m.test(text));
  const policy = policyFrom([
    { name: "all", globs: ["**"], access: ["read"], decision: "allow" },
    { name: "git", globs: [".git"], access: ["read"], decision: "deny" },
  ]);

  test("the files that are listed are the ones git would add", async () => {
    const tree = plantTree({});
    const base = tree.root;
    git(base, "init", "-q");
    const run = async (files: string[], ignores: [string, string][], exclude: string) => {
      for (const entry of git(base, "ls-files", "-o", "--directory", "-z").split("\0")) {
        if (entry !== "") rmSync(path.join(base, entry), { recursive: true, force: true });
      }
      for (const [place, content] of [...files.map((file) => [file, ""] as const), ...ignores]) {
        try {
          mkdirSync(path.dirname(path.join(base, place)), { recursive: true });
          writeFileSync(path.join(base, place), content);
        } catch {
          // A file where this one needs a folder: the tree is smaller then.
        }
      }
      writeFileSync(path.join(base, ".git/info/exclude"), exclude);
      const expected = git(base, "ls-files", "-o", "--exclude-standard", "-z").split("\0").slice(0, -1).sort();
      const fence = fenceBy(openChecked, base, policy);
      const { paths } = await listed(fence, ".");
      fence.close();
      expect(paths.filter((entry) => !entry.endsWith("/")).sort()).toEqual(expected);
    };
    const folder = fc.constantFrom("", "a/", "a/b/", "b/");
    const ignores = fc.array(
      fc.tuple(
        folder.map((place) => `${place}.gitignore`),
        ignoreFile,
      ),
      { maxLength: 3 },
    );
    try {
      await fc.assert(fc.asyncProperty(fc.array(file, { minLength: 1, maxLength: 12 }), ignores, ignoreFile, run), {
        numRuns: 40,
      });
    } finally {
      tree.remove();
    }
  });
});
