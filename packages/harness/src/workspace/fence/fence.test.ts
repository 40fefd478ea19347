/** Both mechanisms against the same tables, on real files. */

import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  closeSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { once } from "node:events";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { asFailure } from "../../error.ts";
import { policyFrom } from "../../policy/rules.ts";
import { hasBeneath, openBeneath } from "../place/beneath.ts";
import { openChecked } from "../place/checked.ts";
import type { Fence } from "../fence.ts";
import { fenceBy, openFence } from "./on-disk.ts";
import { asNobody, plantTree, type Planted, type Tree } from "../tree.testing.ts";
import { fencedTrees } from "./fenced.testing.ts";

const policy = policyFrom([
  { name: "project files", globs: ["**"], access: ["read"], decision: "allow" },
  { name: "secrets", globs: ["secrets", ".env"], access: ["read"], decision: "deny" },
  { name: "drafts", globs: ["*.draft"], access: ["read"], decision: "ask" },
]);

const mechanisms = [
  { name: "beneath", open: openBeneath, here: hasBeneath() },
  { name: "checked", open: openChecked, here: true },
];

/** What reading a path gives: its text, or the code of the failure. */
function read(fence: Fence, asked: string): string {
  try {
    using file = fence.pin(asked, "read");
    return new TextDecoder().decode(fence.content(file, 1 << 20));
  } catch (thrown) {
    return asFailure(thrown).code;
  }
}

/** Through a variable, or the linter for packages takes mkfifo for one. */
const plantFifo = (place: string, program = "mkfifo") => execFileSync(program, [place]);
const link = (target: string): Planted => ({ link: target });

/** Row: what it shows, the tree, what is asked, what comes. */
const table: readonly [shows: string, entries: Record<string, Planted>, asked: string, outcome: string][] = [
  ["a file", { "a/b": "text" }, "a/b", "text"],
  ["dots and doubled slashes", { "a/b/c": "text" }, "./a/.//b///./c", "text"],
  ["steps back", { "a/b/": "", "a/c": "text" }, "a/b/../../a/b/../c", "text"],
  ["an absolute path beneath the root", { "a/b": "text" }, "ROOT/a/b", "text"],
  ["a link to a file", { a: "text", l: link("a") }, "l", "text"],
  ["a link to a folder", { "a/b": "text", l: link("a") }, "l/b", "text"],
  ["a link to a folder with a slash", { "a/b": "text", l: link("a/") }, "l/b", "text"],
  ["a link to a folder with a dot", { "a/b": "text", l: link("a/.") }, "l/b", "text"],
  ["an absolute link inwards", { a: "text", l: link("ROOT/a") }, "l", "text"],
  ["a link upwards within the root", { a: "text", "d/up": link("..") }, "d/up/a", "text"],
  ["a step back after a link", { "x/y/": "", "x/t": "text", l: link("x/y") }, "l/../t", "text"],
  ["a link in the middle of steps", { "x/y/t": "text", l: link("x/y") }, "x/../l/t", "text"],
  ["a chain of links", { "g/c/t": "text", "a/b": link("../e"), e: link("g/c"), l: link("a/b/t") }, "l", "text"],
  ["a link out and in again", { a: "text", l: link("../root/a") }, "l", "text"],
  ["30 links", { ...chain(30), l30: "text" }, "l0", "text"],
  ["41 links", { ...chain(41), l41: "text" }, "l0", "E_NOT_FOUND"],
  ["names Windows would not take", { "C:f": "text" }, "C:f", "text"],
  ["a backslash in a name", { "a\\b": "text" }, "a\\b", "text"],
  ["a tilde in a name", { "~x": "text" }, "~x", "text"],
  ["a name that looks deleted", { "a (deleted)": "text" }, "a (deleted)", "text"],
  ["a newline in a name", { "a\nb": "text" }, "a\nb", "text"],
  ["a composed name", { "caf\u00e9": "composed", "cafe\u0301": "decomposed" }, "caf\u00e9", "composed"],
  ["a decomposed name", { "caf\u00e9": "composed", "cafe\u0301": "decomposed" }, "cafe\u0301", "decomposed"],
  ["nothing there", {}, "a", "E_NOT_FOUND"],
  ["only spaces", {}, "   ", "E_NOT_FOUND"],
  ["no folder on the way", {}, "a/b", "E_NOT_FOUND"],
  ["a file for a folder", { f: "text" }, "f/x", "E_NOT_FOUND"],
  ["a step back from a file", { f: "text", g: "text" }, "f/../g", "E_NOT_FOUND"],
  ["a slash after a file", { f: "text" }, "f/", "E_NOT_FOUND"],
  ["a dot after a file", { f: "text" }, "f/.", "E_NOT_FOUND"],
  ["a slash after a link to a file", { f: "text", l: link("f") }, "l/", "E_NOT_FOUND"],
  ["a link to itself", { l: link("l") }, "l", "E_NOT_FOUND"],
  ["two links to each other", { a: link("b"), b: link("a") }, "a/x", "E_NOT_FOUND"],
  ["a dangling link", { l: link("nowhere") }, "l", "E_NOT_FOUND"],
  ["a dangling link outwards", { l: link("OUTSIDE/nowhere") }, "l", "E_NOT_FOUND"],
  ["a link to a file outside", { l: link("OUTSIDE/secret.txt") }, "l", "E_NOT_FOUND"],
  ["a link to a folder outside", { l: link("OUTSIDE") }, "l/secret.txt", "E_NOT_FOUND"],
  ["an outward link in a folder", { "a/l": link("../../outside") }, "a/l/secret.txt", "E_NOT_FOUND"],
  ["a link to the folder above", { l: link("../") }, "l/outside/secret.txt", "E_NOT_FOUND"],
  ["a neighbour whose name begins alike", { l: link("ROOT-evil/x") }, "l", "E_NOT_FOUND"],
  ["an absolute link with a step back", { l: link("ROOT/../outside/secret.txt") }, "l", "E_NOT_FOUND"],
  ["a step back through an outward link", { l: link("OUTSIDE") }, "l/../outside/secret.txt", "E_NOT_FOUND"],
  ["a chain that leaves", { a: link("b"), b: link("c/x"), c: link("OUTSIDE") }, "a", "E_NOT_FOUND"],
  ["the root of the process", { l: link("/proc/self/root/etc/passwd") }, "l", "E_NOT_FOUND"],
  ["the folder of the process", { l: link("/proc/self/cwd") }, "l/package.json", "E_NOT_FOUND"],
  ["the environment of the process", { l: link("/proc/self/environ") }, "l", "E_NOT_FOUND"],
  ["a descriptor of the process", { l: link("/dev/fd/0") }, "l", "E_NOT_FOUND"],
  ["a device", { l: link("/dev/zero") }, "l", "E_NOT_FOUND"],
  ["a folder", { "a/": "" }, "a", "E_IS_FOLDER"],
  ["the root", {}, ".", "E_IS_FOLDER"],
  ["an absolute path", {}, "OUTSIDE/secret.txt", "E_OUTSIDE_ROOT"],
  ["a climb", {}, "../outside/secret.txt", "E_OUTSIDE_ROOT"],
  ["a climb and back", { a: "text" }, "../root/a", "E_OUTSIDE_ROOT"],
  ["a home folder", {}, "~/.ssh/id_rsa", "E_HOME_PATH"],
  ["a drive", {}, "C:\\x", "E_DRIVE_PATH"],
  ["another machine", {}, "\\\\evil\\share\\x", "E_NETWORK_PATH"],
  ["a name too long for the system", {}, "x".repeat(300), "E_PATH_TOO_LONG"],
  ["a variable, taken literally", { "$HOME/x": "text" }, "$HOME/x", "text"],
  ["an address, taken literally", {}, "file:///etc/passwd", "E_NOT_FOUND"],
  ["a denied file", { ".env": "text" }, ".env", "E_DENIED"],
  ["a denied file that is not there", {}, ".env", "E_DENIED"],
  ["a denied file by a detour", { ".env": "text", "a/": "" }, "a/../.env", "E_DENIED"],
  ["a denied file in capitals", { ".ENV": "text" }, ".ENV", "E_DENIED"],
  ["a denied file by a link", { ".env": "text", notes: link(".env") }, "notes", "E_DENIED"],
  ["a denied folder by a link", { "secrets/key": "text", s: link("secrets") }, "s/key", "E_DENIED"],
  ["a link of a denied name to an ordinary file", { a: "text", ".env": link("a") }, ".env", "text"],
  ["a file that is to be asked about", { "x.draft": "text" }, "x.draft", "text"],
];

function chain(length: number): Record<string, Planted> {
  return Object.fromEntries(Array.from({ length }, (_, index) => [`l${index}`, link(`l${index + 1}`)]));
}

describe.each(mechanisms)("$name", ({ open, here }) => {
  const onPosix = process.platform !== "win32";
  const onLinux = process.platform === "linux";
  const plant = fencedTrees();
  const fenced = (entries: Record<string, Planted>): { tree: Tree; fence: Fence } =>
    plant(entries, ({ root }) => fenceBy(open, root, policy));

  test.runIf(here && onPosix).for(table)("%s", ([, entries, asked, outcome]) => {
    const { tree, fence } = fenced(entries);
    expect(read(fence, asked.replace("ROOT", tree.root).replace("OUTSIDE", tree.outside))).toBe(outcome);
  });

  test.runIf(here && onPosix)("a pin says where a path led, what is there and what the policy said", () => {
    const { fence } = fenced({ "a/f.draft": "12345", l: link("a"), "a/up": link("..") });
    using file = fence.pin("l/up/l/f.draft", "read");
    using folder = fence.pin("a/up/l/.", "list");
    using root = fence.pin("l/..", "read");
    const told = [file, folder, root].map(({ path, kind, verdict }) => ({ path, kind, verdict }));
    expect(told).toEqual([
      { path: "a/f.draft", kind: "file", verdict: { decision: "ask", rule: "drafts" } },
      { path: "a", kind: "directory", verdict: { decision: "allow", rule: "project files" } },
      { path: ".", kind: "directory", verdict: { decision: "allow", rule: "project files" } },
    ]);
    expect(file.size).toBe(5);
  });

  test.runIf(here && onPosix)("a refusal names the place a link led to, and the rule", () => {
    const { fence } = fenced({ ".env": "text", notes: link(".env") });
    const narration = (asked: string) => {
      try {
        return fence.pin(asked, "read").path;
      } catch (thrown) {
        return asFailure(thrown).narration;
      }
    };
    expect([narration(".env"), narration("notes"), narration("nowhere")]).toEqual([
      '".env" is protected (secrets): it is never read in this mode. Go on without it, and say so if the answer depends on it.',
      '"notes" leads to ".env", which is protected (secrets): it is never read in this mode. Go on without it, and say so if the answer depends on it.',
      '"nowhere" does not lead to a file or folder in the project. List or search the project to find the path.',
    ]);
  });

  test.runIf(here && onPosix)("FIFOs, sockets and devices are told by their kind and never opened", async () => {
    const { tree, fence } = fenced({ l: link("fifo") });
    plantFifo(path.join(tree.root, "fifo"));
    const server = createServer().listen(path.join(tree.root, "socket"));
    await once(server, "listening");
    try {
      for (const asked of ["fifo", "socket", "l"]) {
        using place = fence.pin(asked, "read");
        expect([place.kind, read(fence, asked)]).toEqual(["other", "E_NOT_REGULAR"]);
        expect(() => fence.cwd(place)).toThrow(expect.objectContaining({ code: "E_NOT_FOLDER" }));
        await expect(fence.bytes(place)[Symbol.asyncIterator]().next()).rejects.toMatchObject({
          code: "E_NOT_REGULAR",
        });
      }
    } finally {
      server.close();
      await once(server, "close");
    }
  });

  test.runIf(here)("a file of 5 GB is refused by its size, and read in part", async () => {
    const { tree, fence } = fenced({ big: "start" });
    truncateSync(path.join(tree.root, "big"), 5e9);
    using file = fence.pin("big", "read");
    expect(() => fence.content(file, 1 << 20)).toThrow(expect.objectContaining({ code: "E_TOO_LARGE" }));
    const chunks = await Array.fromAsync(fence.bytes(file, { start: 2, end: 8 }));
    expect(Buffer.concat(chunks)).toEqual(Buffer.from("art\0\0\0"));
  });

  test.runIf(here)("a file that grows is read up to its size when pinned, one that shrinks up to its end", async () => {
    const { tree, fence } = fenced({ grows: "before", shrinks: "before" });
    using grows = fence.pin("grows", "read");
    using shrinks = fence.pin("shrinks", "read");
    appendFileSync(path.join(tree.root, "grows"), "after");
    truncateSync(path.join(tree.root, "shrinks"), 2);
    const text = async (file: typeof grows) => Buffer.concat(await Array.fromAsync(fence.bytes(file))).toString();
    expect([await text(grows), Buffer.from(fence.content(grows, 100)).toString()]).toEqual(["before", "before"]);
    expect([await text(shrinks), Buffer.from(fence.content(shrinks, 100)).toString()]).toEqual(["be", "be"]);
  });

  test.runIf(here)("what is pinned is what is read, whatever takes its name", () => {
    const { tree, fence } = fenced({ a: "pinned", b: "other" });
    using file = fence.pin("a", "read");
    renameSync(path.join(tree.root, "b"), path.join(tree.root, "a"));
    expect(Buffer.from(fence.content(file, 100)).toString()).toBe("pinned");
    expect(read(fence, "a")).toBe("other");
  });

  test.runIf(here)("stopping to read early leaves nothing open", async () => {
    const { fence } = fenced({ big: "x".repeat(200_000) });
    using file = fence.pin("big", "read");
    for await (const chunk of fence.bytes(file)) {
      expect(chunk.length).toBeGreaterThan(0);
      break;
    }
  });

  test.runIf(here)("a hard link is a name of its own: only names are denied", () => {
    const { tree, fence } = fenced({ ".env": "text" });
    linkSync(path.join(tree.root, ".env"), path.join(tree.root, "hard"));
    expect([read(fence, ".env"), read(fence, "hard")]).toEqual(["E_DENIED", "text"]);
  });

  test.runIf(here && onPosix)("a file or folder that may not be read says so, by whatever user it is read", () => {
    const { tree, fence } = fenced({ locked: "text", "shut/a": "text" });
    chmodSync(path.join(tree.root, "locked"), 0);
    chmodSync(path.join(tree.root, "shut"), 0);
    const outcomes = asNobody(tree, () => [read(fence, "locked"), read(fence, "shut/a")]);
    chmodSync(path.join(tree.root, "shut"), 0o700);
    expect(outcomes).toEqual(["E_UNREADABLE", "E_NOT_FOUND"]);
  });

  test.runIf(here)("a released place is not read, whatever has its descriptor now", () => {
    const { fence } = fenced({ a: "first", b: "second" });
    const file = fence.pin("a", "read");
    file[Symbol.dispose]();
    file[Symbol.dispose]();
    using other = fence.pin("b", "read");
    expect(() => fence.content(file, 100)).toThrow(expect.objectContaining({ code: "E_RELEASED" }));
    expect(Buffer.from(fence.content(other, 100)).toString()).toBe("second");
  });

  test.runIf(here)("a closed fence pins nothing", () => {
    const { fence } = fenced({ a: "text" });
    fence.close();
    expect(read(fence, "a")).toBe("E_RELEASED");
  });

  test.runIf(here && onLinux)("a child process can start in a pinned folder", () => {
    const { fence } = fenced({ "a/found": "text" });
    using folder = fence.pin("a", "list");
    expect(execFileSync("ls", { cwd: fence.cwd(folder) }).toString()).toBe("found\n");
  });

  test.runIf(here && onPosix)("what is no folder that can be read makes no fence", () => {
    const { tree } = fenced({ f: "text", l: link("nowhere"), "shut/": "" });
    const outcome = (name: string) => {
      try {
        const opened = fenceBy(open, path.join(tree.root, name), policy);
        opened.close();
        return opened.root;
      } catch (thrown) {
        return asFailure(thrown).code;
      }
    };
    chmodSync(path.join(tree.root, "shut"), 0);
    expect([
      outcome("nowhere"),
      outcome("l"),
      outcome("f"),
      asNobody(tree, () => outcome("shut")),
      outcome("."),
    ]).toEqual(["E_ROOT_NOT_FOUND", "E_ROOT_NOT_FOUND", "E_ROOT_NOT_FOLDER", "E_ROOT_UNREADABLE", tree.root]);
  });

  test.runIf(here)("a root that is a link is the folder it leads to", () => {
    const { tree } = fenced({ "a/f": "text" });
    symlinkSync(path.join(tree.root, "a"), path.join(tree.outside, "l"));
    const linked = fenceBy(open, path.join(tree.outside, "l"), policy);
    expect([linked.root, read(linked, "f")]).toEqual([path.join(tree.root, "a"), "text"]);
    linked.close();
  });
});

describe.runIf(hasBeneath())("only beneath", () => {
  function planted(entries: Record<string, Planted>): Tree {
    const tree = plantTree(entries);
    onTestFinished(tree.remove);
    return tree;
  }

  function fenced(root: string): Fence {
    const fence = openFence(root, policy);
    onTestFinished(() => fence.close());
    return fence;
  }

  test("a root that is renamed stays the same folder, and what takes its name is outside", () => {
    const tree = planted({ f: "text", back: link("ROOT/f"), "d/": "" });
    const fence = fenced(tree.root);
    renameSync(tree.root, `${tree.root}2`);
    mkdirSync(tree.root);
    writeFileSync(path.join(tree.root, "f"), "SECRET");
    expect([read(fence, "f"), read(fence, "back"), read(fence, "d/../f")]).toEqual(["text", "E_NOT_FOUND", "text"]);
  });

  test("a folder moved out of the root while it is pinned stays pinned, and is not found again", () => {
    const tree = planted({ "d/f": "text", l: link("OUTSIDE/d/f") });
    const fence = fenced(tree.root);
    using file = fence.pin("d/f", "read");
    renameSync(path.join(tree.root, "d"), path.join(tree.outside, "d"));
    expect(Buffer.from(fence.content(file, 100)).toString()).toBe("text");
    expect([read(fence, "d/f"), read(fence, "l")]).toEqual(["E_NOT_FOUND", "E_NOT_FOUND"]);
  });

  test("a file is deleted when it has no name left, or is reached by a name that was removed", () => {
    const tree = planted({ gone: "text", one: "text" });
    const fence = fenced(tree.root);
    const at = (name: string) => path.join(tree.root, name);
    linkSync(at("one"), at("other"));
    const outcomes = ["gone", "one"].map((name) => {
      const descriptor = openSync(at(name), "r");
      unlinkSync(at(name));
      symlinkSync(`/proc/self/fd/${descriptor}`, at(`to-${name}`));
      const outcome = read(fence, `to-${name}`);
      closeSync(descriptor);
      return outcome;
    });
    expect([...outcomes, read(fence, "other")]).toEqual(["E_NOT_FOUND", "E_NOT_FOUND", "text"]);
  });

  test("folders whose names are not UTF-8 are not taken for each other", () => {
    const tree = planted({ "in/": "" });
    const named = (...bytes: number[]) => Buffer.concat([Buffer.from(`${tree.root}/`), Buffer.from(bytes)]);
    mkdirSync(named(0xfe));
    mkdirSync(named(0xff));
    writeFileSync(named(0xfe, 0x2f, 0x66), "SECRET");
    symlinkSync(named(0xff), path.join(tree.root, "way-in"));
    symlinkSync(named(0xfe, 0x2f, 0x66), named(0xff, 0x2f, 0x6c));
    const fence = fenced(path.join(tree.root, "way-in"));
    expect(read(fence, "l")).toBe("E_NOT_FOUND");
  });

  test("a link to a file whose name is not UTF-8 does not lead to one whose name looks alike", () => {
    const tree = planted({ "\ufffd": "another" });
    writeFileSync(Buffer.concat([Buffer.from(`${tree.root}/`), Buffer.of(0xff)]), "odd");
    symlinkSync(Buffer.of(0xff), path.join(tree.root, "l"));
    const fence = fenced(tree.root);
    expect([read(fence, "l"), read(fence, "\ufffd")]).toEqual(["E_NOT_FOUND", "another"]);
  });

  test("a pinned folder that is removed can be listed no more, and starts no child", () => {
    const tree = planted({ "d/": "" });
    const fence = fenced(tree.root);
    using folder = fence.pin("d", "list");
    rmSync(path.join(tree.root, "d"), { recursive: true });
    expect(existsSync(fence.cwd(folder)) ? readdirSync(fence.cwd(folder)) : []).toEqual([]);
  });
});
