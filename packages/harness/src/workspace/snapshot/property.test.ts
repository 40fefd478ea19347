import { chmodSync, lstatSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { openCover } from "./cover.ts";
import { change, makeWorld, policy, treeOf, type Wanted } from "./undo.testing.ts";

const never = new AbortController().signal;

type Step =
  | { do: "write"; path: string; content: Uint8Array; mode: number }
  | { do: "delete"; path: string }
  | { do: "move"; path: string; to: string };

const paths = fc.constantFrom("a", "b.txt", "d/e", "d/f.sh", "d/g/h", "x/y/z", "d/to-b");
const content = fc.uint8Array({ maxLength: 64 });
const mode = fc.constantFrom(0o644, 0o755, 0o600, 0o444);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant("write" as const), path: paths, content, mode }),
  fc.record({ do: fc.constant("delete" as const), path: paths }),
  fc.record({ do: fc.constant("move" as const), path: paths, to: paths }),
);
const steps = fc.array(step, { minLength: 1, maxLength: 8 });
const beginning = fc.dictionary(fc.constantFrom("a", "b.txt", "d/e", "d/f.sh"), fc.tuple(content, mode));

/** What a step wants, as far as it can be done in the tree as it is. */
function wantedBy(tree: Readonly<Record<string, string>>, step: Step): Record<string, Wanted | null> {
  const isFile = (name: string): boolean => tree[name]?.startsWith("file") === true;
  const isFree = (name: string): boolean => tree[name] === undefined;
  if (step.do === "write") {
    const can = isFile(step.path) || isFree(step.path);
    return can ? { [step.path]: { content: step.content, mode: isFree(step.path) ? step.mode : undefined } } : {};
  }
  if (!isFile(step.path)) return {};
  if (step.do === "delete") return { [step.path]: null };
  if (!isFree(step.to)) return {};
  const [, bits = "", bytes = ""] = /^file (\d+) (.*)$/s.exec(tree[step.path] ?? "") ?? [];
  return { [step.path]: null, [step.to]: { content: Buffer.from(bytes, "latin1"), mode: Number.parseInt(bits, 8) } };
}

test("undo is the identity, and undo and redo together are", async () => {
  await fc.assert(
    fc.asyncProperty(beginning, steps, fc.boolean(), async (files, wishes, isLinked) => {
      using world = makeWorld();
      const first = world.undo.begin({ session: "s0", task: "Begin", at: 0 });
      for (const [name, [bytes, bits]] of Object.entries(files))
        await change(world, first, { [name]: { content: bytes, mode: bits } });
      first.end();
      if (isLinked && lstatSync(path.join(world.project, "d"), { throwIfNoEntry: false }) !== undefined) {
        symlinkSync("../b.txt", path.join(world.project, "d/to-b"));
        chmodSync(path.join(world.project, "d"), 0o750);
      }
      const before = treeOf(world.project);
      const turn = world.undo.begin({ session: "s1", task: "Change", at: 1 });
      for (const step of wishes) {
        const wanted = wantedBy(treeOf(world.project), step);
        if (Object.keys(wanted).length > 0) await change(world, turn, wanted);
      }
      turn.end();
      const after = treeOf(world.project);
      const hasChanged = world.undo.turns().some(({ number, task }) => number > 0 && task === "Change");
      if (!hasChanged) return;
      expect((await world.undo.undo(never)).left).toEqual([]);
      expect(treeOf(world.project)).toEqual(before);
      expect((await world.undo.redo(never)).left).toEqual([]);
      expect(treeOf(world.project)).toEqual(after);
    }),
    { numRuns: process.env["CROFT_LONG"] === "1" ? 500 : 40 },
  );
}, 300_000);

type Act =
  | { do: "write"; path: string; content: Uint8Array; mode: number }
  | { do: "remove"; path: string }
  | { do: "rename"; path: string; to: string }
  | { do: "folder"; path: string; mode: number }
  | { do: "link"; path: string; to: string }
  | { do: "mode"; path: string; mode: number };

const act: fc.Arbitrary<Act> = fc.oneof(
  fc.record({ do: fc.constant("write" as const), path: paths, content, mode }),
  fc.record({ do: fc.constant("remove" as const), path: fc.oneof(paths, fc.constantFrom("d", "d/g", "x")) }),
  fc.record({ do: fc.constant("rename" as const), path: fc.oneof(paths, fc.constantFrom("d", "x")), to: paths }),
  fc.record({ do: fc.constant("folder" as const), path: paths, mode: fc.constantFrom(0o755, 0o700) }),
  fc.record({
    do: fc.constant("link" as const),
    path: paths,
    to: fc.constantFrom("b.txt", "d", "../beside", "nowhere"),
  }),
  fc.record({ do: fc.constant("mode" as const), path: paths, mode }),
);

/** As a command would, with no regard for anybody; what cannot be done is not. */
function perform(project: string, act: Act): void {
  const place = path.join(project, act.path);
  try {
    if (act.do === "write") writeFileSync(place, act.content, { mode: act.mode });
    if (act.do === "remove") rmSync(place, { recursive: true });
    if (act.do === "rename") renameSync(place, path.join(project, act.to));
    if (act.do === "folder") mkdirSync(place, { recursive: true, mode: act.mode });
    if (act.do === "link") symlinkSync(act.to, place);
    if (act.do === "mode" && lstatSync(place).isFile()) chmodSync(place, act.mode);
  } catch {
    // there is no such file, or one is in the way
  }
}

test("what commands did is taken back and taken up again, whatever they did", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(act, { maxLength: 8 }),
      fc.array(fc.array(act, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 3 }),
      async (first, commands) => {
        using world = makeWorld({ "b.txt": "b", "d/e": "e" });
        for (const one of first) perform(world.project, one);
        const cover = openCover({ store: world.store, root: world.project, policy });
        const before = treeOf(world.project);
        const turn = world.undo.begin({ session: "s1", task: "Run", at: 1 });
        for (const acts of commands) {
          await cover.before(never);
          for (const one of acts) perform(world.project, one);
          await cover.after(turn, never);
        }
        turn.end();
        cover.close();
        const after = treeOf(world.project);
        expect((await world.undo.undo(never)).left).toEqual([]);
        expect(treeOf(world.project)).toEqual(before);
        expect((await world.undo.redo(never)).left).toEqual([]);
        expect(treeOf(world.project)).toEqual(after);
      },
    ),
    { numRuns: process.env["CROFT_LONG"] === "1" ? 1000 : 40 },
  );
}, 600_000);
