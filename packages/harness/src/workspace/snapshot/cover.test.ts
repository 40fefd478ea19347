import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { readOnlyPolicy } from "../../policy/presets.ts";
import type { CommandChanges, CommandCover, Undo } from "../snapshot.ts";
import { openCover } from "./cover.ts";
import { commanded, makeWorld, policy, put, treeOf, type World } from "./undo.testing.ts";

const never = new AbortController().signal;
/** A user without rights. */
const nobody = 65_534;

/** Runs a shell script in the project as a command of a turn. */
async function command(
  world: { project: string; undo: Undo },
  cover: CommandCover,
  script: string,
): Promise<CommandChanges> {
  const turn = world.undo.begin({ session: "s1", task: script, at: 0 });
  await cover.before(never);
  const { status, stderr } = spawnSync("sh", ["-euc", script], { cwd: world.project, encoding: "utf8" });
  expect([status, stderr]).toEqual([0, ""]);
  const changes = await cover.after(turn, never);
  turn.end();
  return { ...changes, paths: [...changes.paths].sort() };
}

function coverOf(world: World, limit?: number): CommandCover {
  return openCover({ store: world.store, root: world.project, policy, limit });
}

const project = { "a.txt": "one\n", "src/b.txt": "b\n", "src/deep/c.txt": "c\n", "run.sh": "#!/bin/sh\n" };

describe("what a command changed", () => {
  test.each([
    ["bytes", "echo two > a.txt", ["a.txt"]],
    [
      "bytes of the same length, times put back",
      "touch -r a.txt t; echo eno > a.txt; touch -r t a.txt; rm t",
      ["a.txt"],
    ],
    ["appended", "echo more >> src/b.txt", ["src/b.txt"]],
    ["a new file and folder", "mkdir -p new/deep; echo n > new/deep/n.txt", ["new/deep/n.txt"]],
    ["an empty new folder", "mkdir empty", []],
    ["a file removed", "rm a.txt", ["a.txt"]],
    ["a folder removed", "rm -r src", ["src/b.txt", "src/deep/c.txt"]],
    ["a file moved", "mv a.txt src/moved.txt", ["a.txt", "src/moved.txt"]],
    ["a folder moved", "mv src lib", ["lib/b.txt", "lib/deep/c.txt", "src/b.txt", "src/deep/c.txt"]],
    ["a mode", "chmod +x a.txt", ["a.txt"]],
    ["mode and bytes", "echo x >> run.sh; chmod 700 run.sh", ["run.sh"]],
    ["the mode of a folder", "chmod 700 src", []],
    ["a new link", "ln -s /etc/passwd out", ["out"]],
    ["a link turned", "ln -sfn src/b.txt link", ["link"]],
    ["a link removed", "rm link", ["link"]],
    ["a file made a link", "ln -sf /etc/hostname a.txt", ["a.txt"]],
    ["a link made a file", "rm link; echo l > link", ["link"]],
    ["a file made a folder", "rm a.txt; mkdir a.txt; echo i > a.txt/in.txt", ["a.txt/in.txt"]],
    ["a folder made a file", "rm -r src; echo f > src", ["src", "src/b.txt", "src/deep/c.txt"]],
    [
      "a folder made a link",
      "mv src lib; ln -s lib src",
      ["lib/b.txt", "lib/deep/c.txt", "src", "src/b.txt", "src/deep/c.txt"],
    ],
    ["a second name of a file", "ln a.txt second.txt", ["second.txt"]],
    ["a folder that nobody may write to", "echo x > src/deep/x; chmod 555 src/deep", ["src/deep/x"]],
    [
      "all of it",
      "rm -r src a.txt; echo z > z; chmod 755 z; ln -sfn z link",
      ["a.txt", "link", "src/b.txt", "src/deep/c.txt", "z"],
    ],
  ])("%s is seen, taken back and taken up again", async (_, script, paths) => {
    using world = makeWorld(project);
    symlinkSync("a.txt", path.join(world.project, "link"));
    const cover = coverOf(world);
    const before = treeOf(world.project);
    const changes = await command(world, cover, script);
    expect(changes).toMatchObject({ protectedPaths: [], notices: [] });
    // What was a file and is a folder now is told by what is in it.
    expect(changes.paths.filter((name) => (script.includes("mkdir a.txt") ? name !== "a.txt" : true))).toEqual(paths);
    const after = treeOf(world.project);
    expect(after).not.toEqual(before);
    expect((await world.undo.undo(never)).left).toEqual([]);
    expect(treeOf(world.project)).toEqual(before);
    expect((await world.undo.redo(never)).left).toEqual([]);
    expect(treeOf(world.project)).toEqual(after);
    cover.close();
  });

  test("nothing is recorded where nothing changed, not even for a file that was touched", async () => {
    using world = makeWorld(project);
    const cover = coverOf(world);
    const nothing = { files: [], record: undefined, paths: [], protectedPaths: [], notices: [] };
    expect(await command(world, cover, "true")).toEqual(nothing);
    expect(await command(world, cover, "touch a.txt; cp -p run.sh t; mv t run.sh")).toEqual(nothing);
    cover.close();
    expect(readdirSync(world.store).filter((name) => !name.startsWith("base-"))).toEqual([]);
  });

  test("a change right after a look, of the same length and within a tick of the clock, is seen", async () => {
    using world = makeWorld({ "a.txt": "0000" });
    const cover = coverOf(world);
    const turn = world.undo.begin({ session: "s1", task: "Count", at: 0 });
    for (let round = 1; round <= 50; round++) {
      put(world.project, "a.txt", String(1000 + round));
      await cover.before(never);
      put(world.project, "a.txt", String(2000 + round));
      expect((await cover.after(turn, never)).paths).toEqual(["a.txt"]);
    }
    turn.end();
    cover.close();
  });

  test("what the user does between commands is not the command's", async () => {
    using world = makeWorld(project);
    const cover = coverOf(world);
    await command(world, cover, "true");
    put(world.project, "a.txt", "mine\n");
    put(world.project, "mine.txt", "mine\n");
    const { files } = await command(world, cover, "echo b2 > src/b.txt; echo worse >> a.txt");
    expect(files.map((file) => file.path).sort()).toEqual(["a.txt", "src/b.txt"]);
    await world.undo.undo(never);
    expect(treeOf(world.project)).toMatchObject({ "a.txt": "file 644 mine\n", "mine.txt": "file 644 mine\n" });
    cover.close();
  });

  test("a file that was ignored until the command changed the rules is the user's", async () => {
    using world = makeWorld({ ...project, ".gitignore": "big/\n", "big/data.txt": "mine\n" });
    await delay(20); // the clock of files has ticked since
    const cover = coverOf(world);
    const { paths } = await command(world, cover, "echo '# none' > .gitignore");
    expect(paths).toEqual([".gitignore"]);
    await world.undo.undo(never);
    expect(treeOf(world.project)).toMatchObject({ ".gitignore": "file 644 big/\n", "big/data.txt": "file 644 mine\n" });
    cover.close();
  });

  test("a file that is ignored since the command changed the rules is not gone", async () => {
    using world = makeWorld(project);
    const cover = coverOf(world);
    const { paths } = await command(world, cover, "echo 'src/' > .gitignore; echo changed > src/b.txt");
    expect(paths).toEqual([".gitignore", "src/b.txt"]);
    await world.undo.undo(never);
    expect(treeOf(world.project)).toMatchObject({ "src/b.txt": "file 644 b\n", "src/deep/c.txt": "file 644 c\n" });
    cover.close();
  });

  test("new files under protected names are told of", async () => {
    using world = makeWorld(project);
    const cover = openCover({ store: world.store, root: world.project, policy: readOnlyPolicy() });
    const { protectedPaths } = await command(world, cover, "echo KEY=1 > .env");
    expect(protectedPaths).toEqual([".env"]);
    cover.close();
  });

  test("beyond the limit undo covers no commands, which is said once; changed paths are told all the same", async () => {
    using world = makeWorld(project);
    const cover = coverOf(world, 10);
    const first = await command(world, cover, "echo two > a.txt");
    expect(first).toEqual({
      files: [],
      record: undefined,
      paths: ["a.txt"],
      protectedPaths: [],
      notices: [expect.stringMatching(/does not cover/)],
    });
    expect(await command(world, cover, "rm a.txt")).toMatchObject({ paths: ["a.txt"], notices: [] });
    cover.close();
    expect(readdirSync(world.store)).toEqual([]);
  });

  test("the next run goes on from what this one has seen, and reads what changed meanwhile", async () => {
    using world = makeWorld(project);
    const first = coverOf(world);
    await command(world, first, "true");
    first.close();
    put(world.project, "a.txt", "meanwhile\n");
    const old = new Date(0);
    utimesSync(path.join(world.project, "a.txt"), old, old);
    const second = coverOf(world);
    await command(world, second, "echo last > a.txt; rm src/b.txt");
    await world.undo.undo(never);
    expect(treeOf(world.project)).toMatchObject({ "a.txt": "file 644 meanwhile\n", "src/b.txt": "file 644 b\n" });
    second.close();
  });

  test("that croft was ended while a command ran is told by the next run", async () => {
    using world = makeWorld(project);
    const program = pathToFileURL(path.join(import.meta.dirname, "cover.ts")).href;
    const options = { store: world.store, root: world.project };
    const script = `import { openCover } from ${JSON.stringify(program)};
      const cover = openCover({ ...${JSON.stringify(options)}, policy: { judge: () => ({ decision: "allow", rule: "" }) } });
      await cover.before(new AbortController().signal);
      process.kill(process.pid, "SIGKILL");`;
    expect(spawnSync(process.execPath, ["--input-type=module", "-e", script]).signal).toBe("SIGKILL");
    const cover = coverOf(world);
    expect((await command(world, cover, "true")).notices).toEqual([expect.stringMatching(/ended while a command ran/)]);
    expect((await command(world, cover, "true")).notices).toEqual([]);
    cover.close();
  });

  test.skipIf(process.getuid?.() !== 0)("folders that forbid it are opened for undo, and shut again", async () => {
    using world = makeWorld(project);
    put(world.project, "shut/old.txt", "old\n");
    chmodSync(path.join(world.project, "shut"), 0o555);
    for (const name of ["", ...readdirSync(world.base, { recursive: true, encoding: "utf8" })]) {
      chownSync(path.join(world.base, name), nobody, nobody);
    }
    const before = treeOf(world.project);
    const program = pathToFileURL(path.join(import.meta.dirname, "undo.testing.ts")).href;
    const shut = "chmod 755 shut; rm shut/old.txt; echo n > shut/new.txt; chmod 500 shut";
    const made = "mkdir ro; echo r > ro/r.txt; chmod 500 ro; chmod 500 src/deep";
    const script = `const { ${commanded.name}: run } = await import(${JSON.stringify(program)});
      await run(${JSON.stringify(world.base)}, ${JSON.stringify(`${shut}; ${made}`)});`;
    const ran = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
      uid: nobody,
      gid: nobody,
      encoding: "utf8",
    });
    expect([ran.stderr, ran.status]).toEqual(["", 0]);
    expect(treeOf(world.project)).toEqual(before);
  });

  test("a link whose target is not UTF-8 is not put back as one that leads elsewhere", async () => {
    using world = makeWorld(project);
    symlinkSync(Buffer.from("caf\xe9", "latin1"), path.join(world.project, "odd"));
    const cover = coverOf(world);
    await command(world, cover, "rm odd; echo two > a.txt");
    expect((await world.undo.undo(never)).left).toEqual([{ path: "odd", reason: "what it held is no longer kept" }]);
    expect(treeOf(world.project)).toMatchObject({ "a.txt": "file 644 one\n" });
    expect(readdirSync(world.project)).not.toContain("odd");
    cover.close();
  });

  test("links are kept as links: what they lead to is neither copied nor written", async () => {
    using world = makeWorld(project);
    const secret = path.join(world.base, "secret.txt");
    writeFileSync(secret, "hidden");
    symlinkSync(secret, path.join(world.project, "out"));
    const cover = coverOf(world);
    await command(world, cover, "rm out; echo mine > out");
    await world.undo.undo(never);
    expect(treeOf(world.project)).toMatchObject({ out: `link ${secret}` });
    expect(treeOf(world.base)["secret.txt"]).toBe("file 644 hidden");
    expect(Object.values(treeOf(world.store)).filter((content) => content.endsWith("hidden"))).toEqual([]);
    cover.close();
  });
});
