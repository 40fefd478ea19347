/** Changes by both mechanisms, on real files. */

import { execFileSync } from "node:child_process";
import { hash } from "node:crypto";
import {
  appendFileSync,
  chmodSync,
  chownSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { asFailure } from "../../error.ts";
import { policyFrom } from "../../policy/rules.ts";
import type { Change } from "../change.ts";
import type { Fence } from "../fence.ts";
import { hasBeneath, openBeneath } from "../place/beneath.ts";
import { openChecked } from "../place/checked.ts";
import { asNobody, snapshotOf, type Planted, type Tree } from "../tree.testing.ts";
import { fencedTrees } from "./fenced.testing.ts";
import { fenceBy } from "./on-disk.ts";
import type { Observe } from "./step.ts";

const policy = policyFrom([
  { name: "project files", globs: ["**"], access: ["read", "write"], decision: "allow" },
  { name: "git internals", globs: [".git"], access: ["write"], decision: "deny" },
]);

const mechanisms = [
  { name: "beneath", open: openBeneath, here: hasBeneath() },
  { name: "checked", open: openChecked, here: true },
];

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const link = (target: string): Planted => ({ link: target });
const creates = (place: string, after = "new"): Change => ({ path: place, before: null, after: bytes(after) });
const updates = (place: string, before: string, after = "new"): Change => ({
  path: place,
  before: hash("sha256", before),
  after: bytes(after),
});
const removes = (place: string, before: string): Change => ({
  path: place,
  before: hash("sha256", before),
  after: null,
});

/** Through a variable, or the linter for packages takes mkfifo for one. */
const plantFifo = (place: string, program = "mkfifo") => execFileSync(program, [place]);

/** Row: what it shows, the tree, the changes, the code. The tree and what is outside stay as they were. */
const refused: readonly [shows: string, entries: Record<string, Planted>, changes: Change[], code: string][] = [
  ["a file outside through a link", { l: link("OUTSIDE/secret.txt") }, [updates("l", "SECRET")], "E_NOT_FOUND"],
  ["a file outside through a link, taken for absent", { l: link("OUTSIDE/secret.txt") }, [creates("l")], "E_NOT_FOUND"],
  ["a new file in a folder outside", { e: link("OUTSIDE") }, [creates("e/x")], "E_NOT_FOUND"],
  ["new folders in a folder outside", { e: link("OUTSIDE") }, [creates("e/x/y")], "E_NOT_FOUND"],
  ["a new file below a link that steps out", { "a/e": link("../../outside") }, [creates("a/e/x")], "E_NOT_FOUND"],
  ["a dangling link to outside", { ".env": link("OUTSIDE/new") }, [creates(".env")], "E_NOT_FOUND"],
  ["a dangling link inside", { l: link("nowhere") }, [creates("l")], "E_NOT_FOUND"],
  ["a dangling link to a folder", { l: link("nowhere") }, [creates("l/x")], "E_NOT_FOUND"],
  ["a link to itself", { l: link("l") }, [creates("l")], "E_NOT_FOUND"],
  ["removing a file outside", { l: link("OUTSIDE/secret.txt") }, [removes("l", "SECRET")], "E_NOT_FOUND"],
  ["removing a file by the name of a link", { "a.txt": "a", l: link("a.txt") }, [removes("l", "a")], "E_IS_LINK"],
  ["a step back through a link to outside", { l: link("OUTSIDE") }, [creates("l/../x")], "E_NOT_FOUND"],
  ["the folder of the process", { l: link("/proc/self/cwd") }, [creates("l/x")], "E_NOT_FOUND"],
  ["a device", { l: link("/dev/null") }, [creates("l")], "E_NOT_FOUND"],
  ["a FIFO", { fifo: "FIFO" }, [creates("fifo")], "E_NOT_REGULAR"],
  ["a FIFO, to be updated", { fifo: "FIFO" }, [updates("fifo", "")], "E_NOT_REGULAR"],
  ["removing a FIFO", { fifo: "FIFO" }, [removes("fifo", "")], "E_NOT_REGULAR"],
  ["a folder below a FIFO", { fifo: "FIFO" }, [creates("fifo/x")], "E_NOT_FOLDER"],
  ["git's own by a link", { ".git/config": "c", l: link(".git/config") }, [updates("l", "c")], "E_DENIED"],
  ["a new file among git's own by a link", { ".git/": "", l: link(".git") }, [creates("l/hooks/x")], "E_DENIED"],
  ["git's own that are not there", { "sub/": "" }, [creates("sub/.GIT/x")], "E_DENIED"],
  [
    "git's own under another name",
    { ".git": "gitdir: data", "data/HEAD": "ref: x", "data/objects/": "", "data/refs/": "", "data/config": "c" },
    [updates("data/config", "c")],
    "E_DENIED",
  ],
  [
    "a new file in a bare repository",
    { "d/x.git/HEAD": "ref: x", "d/x.git/objects/": "", "d/x.git/refs/": "" },
    [creates("d/x.git/hooks/new/x")],
    "E_DENIED",
  ],
  ["git's own that are the root", { HEAD: "ref: x", "objects/": "", "refs/": "" }, [creates("config")], "E_DENIED"],
  ["one file by a link too", { a: "a", l: link("a") }, [updates("a", "a"), updates("l", "a")], "E_SAME_FILE"],
  ["one new file by a linked folder too", { "d/": "", l: link("d") }, [creates("d/x"), creates("l/x")], "E_SAME_FILE"],
  ["one file by a hard link too", { a: "a", h: "HARD a" }, [updates("a", "a"), updates("h", "a")], "E_SAME_FILE"],
];

/** Row: what happens between plan and apply, the code, and the tree afterwards, given that nothing of ours lands. */
const meanwhile: readonly [shows: string, act: (tree: Tree) => void, code: string, entries: Record<string, string>][] =
  [
    ["bytes added", ({ root }) => appendFileSync(`${root}/d/f`, "!"), "E_STALE", { "d/f": "644 old!" }],
    ["bytes changed, size kept", ({ root }) => writeFileSync(`${root}/d/f`, "OLD"), "E_STALE", { "d/f": "644 OLD" }],
    [
      "another file of the same bytes",
      ({ root }) => {
        writeFileSync(`${root}/d/g`, "old");
        renameSync(`${root}/d/g`, `${root}/d/f`);
      },
      "E_STALE",
      { "d/f": "644 old" },
    ],
    ["the mode changed", ({ root }) => chmodSync(`${root}/d/f`, 0o755), "E_STALE", { "d/f": "755 old" }],
    ["the file removed", ({ root }) => rmSync(`${root}/d/f`), "E_NOT_FOUND", { "d/f": "" }],
    [
      "a link to outside in its place",
      ({ root, outside }) => {
        rmSync(`${root}/d/f`);
        symlinkSync(`${outside}/secret.txt`, `${root}/d/f`);
      },
      "E_STALE",
      { "d/f": "-> OUTSIDE/secret.txt" },
    ],
    [
      "its folder moved, a link to outside in its place",
      ({ root, outside }) => {
        renameSync(`${root}/d`, `${root}/moved`);
        writeFileSync(`${outside}/f`, "old");
        symlinkSync(outside, `${root}/d`);
      },
      "E_STALE",
      { d: "-> OUTSIDE", "d/f": "", moved: "folder", "moved/f": "644 old" },
    ],
    [
      "its folder moved to where it may not be written",
      ({ root }) => {
        mkdirSync(`${root}/.git`);
        renameSync(`${root}/d`, `${root}/.git/hooks`);
      },
      "E_STALE",
      { d: "", "d/f": "", ".git": "folder", ".git/hooks": "folder", ".git/hooks/f": "644 old" },
    ],
  ];

describe.each(mechanisms)("$name", ({ open, here }) => {
  const onPosix = process.platform !== "win32";
  const plant = fencedTrees();
  const fenced = (entries: Record<string, Planted>, observe?: Observe): { tree: Tree; fence: Fence } =>
    plant(entries, ({ root }) => fenceBy(open, root, policy, observe));

  async function change(fence: Fence, changes: readonly Change[]): Promise<string> {
    try {
      using plan = await fence.plan(changes);
      plan.apply();
      return "landed";
    } catch (thrown) {
      return asFailure(thrown).code;
    }
  }

  test.runIf(here && onPosix).for(refused)(
    "%s is refused, and nothing is touched",
    async ([, entries, changes, code]) => {
      const { tree, fence } = fenced(entries);
      for (const [name, planted] of Object.entries(entries)) {
        if (planted !== "FIFO" && planted !== "HARD a") continue;
        rmSync(path.join(tree.root, name));
        if (planted === "FIFO") plantFifo(path.join(tree.root, name));
        else linkSync(path.join(tree.root, "a"), path.join(tree.root, name));
      }
      const before = [snapshotOf(tree.root), snapshotOf(tree.outside)];
      expect(await change(fence, [creates("first/of/all"), ...changes])).toBe(code);
      expect([snapshotOf(tree.root), snapshotOf(tree.outside)]).toEqual(before);
    },
  );

  test.runIf(here && onPosix).for(meanwhile)("%s: nothing lands", async ([, act, code, entries]) => {
    const { tree, fence } = fenced({ "d/f": "old", other: "old" });
    using plan = await fence.plan([creates("d/new/x"), updates("other", "old"), updates("d/f", "old")]);
    act(tree);
    const outside = snapshotOf(tree.outside);
    expect(() => plan.apply()).toThrow(expect.objectContaining({ code }));
    const expected = { d: "folder", "d/f": "644 old", other: "644 old", ...entries };
    expect(snapshotOf(tree.root)).toEqual(
      Object.fromEntries(
        Object.entries(expected)
          .filter(([, what]) => what !== "")
          .map(([name, what]) => [name, what.replace("OUTSIDE", tree.outside)]),
      ),
    );
    expect(snapshotOf(tree.outside)).toEqual(outside);
  });

  test.runIf(here)("a file too large to be kept is not changed", async () => {
    const { tree, fence } = fenced({ a: "old", big: "" });
    truncateSync(path.join(tree.root, "big"), 16_777_217);
    expect(await change(fence, [updates("a", "old"), removes("big", "")])).toBe("E_TOO_LARGE");
    truncateSync(path.join(tree.root, "big"), 0);
    expect(snapshotOf(tree.root)).toEqual({ a: "644 old", big: "644 " });
  });

  test.runIf(here && onPosix)("a file is removed through a link to its folder", async () => {
    const { tree, fence } = fenced({ "d/f": "old", "d/g": "stays", m: link("d") });
    using plan = await fence.plan([removes("m/f", "old")]);
    plan.apply();
    expect(snapshotOf(tree.root)).toEqual({ d: "folder", "d/g": "644 stays", m: "-> d" });
  });

  test.runIf(here && onPosix)("a link stays a link, and what it leads to within the root changes", async () => {
    const { tree, fence } = fenced({ "d/f": "old", l: link("d/f"), m: link("d") });
    using plan = await fence.plan([updates("l", "old"), creates("m/x/y")]);
    expect(plan.files.map(({ asked, path: led }) => [asked, led])).toEqual([
      ["l", "d/f"],
      ["m/x/y", "d/x/y"],
    ]);
    plan.apply();
    expect(snapshotOf(tree.root)).toEqual({
      d: "folder",
      "d/f": "644 new",
      "d/x": "folder",
      "d/x/y": "644 new",
      l: "-> d/f",
      m: "-> d",
    });
  });

  test.runIf(here && onPosix)(
    "a file keeps its mode, set-user-id aside; a new one has what the umask leaves or is given",
    async () => {
      const { tree, fence } = fenced({ run: "old", secret: "old", fixed: "old", set: "old" });
      const modes = { run: 0o755, secret: 0o600, fixed: 0o444, set: 0o4755 };
      for (const [name, mode] of Object.entries(modes)) chmodSync(path.join(tree.root, name), mode);
      const umask = process.umask(0o077);
      onTestFinished(() => void process.umask(umask));
      const outcome = await change(fence, [
        ...Object.keys(modes).map((name) => updates(name, "old")),
        creates("plain"),
        { ...creates("given"), mode: 0o6755 },
      ]);
      expect([outcome, snapshotOf(tree.root)]).toEqual([
        "landed",
        {
          fixed: "444 new",
          given: "755 new",
          plain: "600 new",
          run: "755 new",
          secret: "600 new",
          set: "755 new",
        },
      ]);
    },
  );

  test.runIf(here && process.geteuid?.() === 0)(
    "a file of another user stays theirs, also when it is put back",
    async () => {
      const { tree, fence } = fenced({ a: "old", b: "old" }, ({ did, path: at }) => {
        if (did === "landed" && at === "a") appendFileSync(path.join(tree.root, "b"), "!");
      });
      const owner = () => [statSync(path.join(tree.root, "a")).uid, statSync(path.join(tree.root, "a")).gid];
      chownSync(path.join(tree.root, "a"), 1234, 5678);
      expect([await change(fence, [updates("a", "old"), updates("b", "old")]), owner()]).toEqual([
        "E_STALE",
        [1234, 5678],
      ]);
      expect([await change(fence, [updates("a", "old")]), owner()]).toEqual(["landed", [1234, 5678]]);
    },
  );

  test.runIf(here)("bytes land as they are", async () => {
    const { tree, fence } = fenced({});
    const script = "#!/bin/sh\necho ok\n";
    expect(await change(fence, [{ ...creates("run.sh", script), mode: 0o755 }])).toBe("landed");
    expect(readFileSync(path.join(tree.root, "run.sh"), "utf8")).toBe(script);
    if (onPosix) expect(execFileSync(path.join(tree.root, "run.sh")).toString()).toBe("ok\n");
  });

  test.runIf(here && onPosix)("a refused change leaves the very same file behind", async () => {
    const { tree, fence } = fenced({ a: "old", b: "old" });
    const stats = () => {
      const { ino, mtimeMs, ctimeMs } = statSync(path.join(tree.root, "a"));
      return { ino, mtimeMs, ctimeMs };
    };
    const before = stats();
    expect(await change(fence, [updates("a", "other")])).toBe("E_STALE");
    using plan = await fence.plan([updates("a", "old"), updates("b", "old")]);
    appendFileSync(path.join(tree.root, "b"), "!");
    expect(() => plan.apply()).toThrow(expect.objectContaining({ code: "E_STALE" }));
    expect(stats()).toEqual(before);
  });

  test.runIf(here && onPosix)("a file with two names is replaced under one of them, not written through", async () => {
    const { tree, fence } = fenced({ a: "old" });
    linkSync(path.join(tree.root, "a"), path.join(tree.outside, "theirs"));
    expect(await change(fence, [updates("a", "old")])).toBe("landed");
    expect([snapshotOf(tree.root), readFileSync(path.join(tree.outside, "theirs"), "utf8")]).toEqual([
      { a: "644 new" },
      "old",
    ]);
  });

  test.runIf(here)("when one cannot land, those that had are put back", async () => {
    const steps: string[] = [];
    const { tree, fence } = fenced({ update: "old", remove: "old", fails: "old" }, ({ did, path: at }) => {
      steps.push(`${did} ${at.replace(/-[0-9a-f]+\./, "-#.")}`);
      if (did === "removed" && at === "remove") appendFileSync(path.join(tree.root, "fails"), "!");
    });
    chmodSync(path.join(tree.root, "remove"), 0o640);
    const outcome = await change(fence, [
      removes("remove", "old"),
      removes("fails", "old"),
      creates("x/y"),
      updates("update", "old"),
    ]);
    expect([outcome, snapshotOf(tree.root)]).toEqual([
      "E_STALE",
      { fails: "644 old!", remove: "640 old", update: "644 old" },
    ]);
    expect(steps).toEqual([
      "made x",
      "staged x/y",
      "staged update",
      "landed x/y",
      "landed update",
      "synced .",
      "synced x",
      "removed remove",
      "put back remove",
      "put back update",
      "put back x/y",
      "put back .croft-#.tmp",
      "put back x/.croft-#.tmp",
      "put back x",
      "put back .",
    ]);
  });

  test.runIf(here)("what could not be put back is named, and left as somebody else has made it", async () => {
    const { tree, fence } = fenced({ a: "old", b: "old", c: "old", fails: "old" }, ({ did, path: at }) => {
      if (did !== "removed" || at !== "c") return;
      writeFileSync(path.join(tree.root, "theirs"), "theirs");
      renameSync(path.join(tree.root, "theirs"), path.join(tree.root, "a"));
      writeFileSync(path.join(tree.root, "c"), "theirs");
      rmSync(path.join(tree.root, "fails"));
    });
    using plan = await fence.plan([
      updates("a", "old"),
      updates("b", "old"),
      removes("c", "old"),
      removes("fails", "old"),
    ]);
    expect(() => plan.apply()).toThrow(
      expect.objectContaining({
        code: "E_HALF_LANDED",
        message: 'There is no file "fails". What had been changed before could not be put back: "c", "a".',
      }),
    );
    expect(snapshotOf(tree.root)).toEqual({ a: "644 theirs", b: "644 old", c: "644 theirs" });
  });

  test.runIf(here && onPosix)("where a folder may not be written, nothing is, by whatever user", async () => {
    const { tree, fence } = fenced({ "open/f": "old", "shut/f": "old" });
    chmodSync(path.join(tree.root, "open"), 0o777);
    chmodSync(path.join(tree.root, "shut"), 0o555);
    const before = snapshotOf(tree.root);
    for (const changes of [
      [updates("shut/f", "old")],
      [removes("shut/f", "old")],
      [creates("shut/new")],
      [creates("shut/x/y")],
    ]) {
      using plan = await fence.plan([updates("open/f", "old"), creates("open/x/y"), ...changes]);
      const applied = asNobody(tree, () => {
        try {
          plan.apply();
          return "landed";
        } catch (thrown) {
          return asFailure(thrown).code;
        }
      });
      expect([applied, snapshotOf(tree.root)]).toEqual(["E_UNWRITABLE", before]);
    }
  });

  test.runIf(here && onPosix)(
    "a new file does not replace what was put under its name at the last moment",
    async () => {
      const { tree, fence } = fenced({ a: "old" }, ({ did, path: at }) => {
        if (did === "staged" && at === "new") symlinkSync(tree.outside, path.join(tree.root, "new"));
      });
      expect(await change(fence, [updates("a", "old"), creates("new")])).toBe("E_EXISTS");
      expect(snapshotOf(tree.root)).toEqual({ a: "644 old", new: `-> ${tree.outside}` });
    },
  );

  test.runIf(here && onPosix)("a link in the place of a left temporary file is not followed, nor swept", () => {
    const { tree, fence } = fenced({ "d/f": "old", l: link("d") });
    const name = ".croft-0123456789abcdef.tmp";
    symlinkSync(path.join(tree.outside, "secret.txt"), path.join(tree.root, name));
    writeFileSync(path.join(tree.root, "d", name), "left");
    expect([fence.sweep(name), fence.sweep(`l/${name}`), fence.sweep(`d/${name}`)]).toEqual([false, false, true]);
    expect(snapshotOf(tree.root)).toEqual({
      [name]: `-> ${tree.outside}/secret.txt`,
      d: "folder",
      "d/f": "644 old",
      l: "-> d",
    });
  });
});
