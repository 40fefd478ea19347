import { chmodSync, existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { pngOf } from "../../workspace/image/files.testing.ts";
import { applyPatch } from "./apply_patch.ts";
import { openCodeProject, type Project } from "./project.testing.ts";
import { readFile } from "./read_file.ts";

const files = { "a.txt": "one\ntwo\nthree\n", "b.txt": "x\n", "old.sh": "echo\n", "gone.txt": "bye\n" };

async function opened(): Promise<Project> {
  const project = openCodeProject(files);
  chmodSync(join(project.root, "old.sh"), 0o755);
  for (const path of Object.keys(files)) await project.call(readFile, { path });
  return project;
}

const envelope = `*** Begin Patch
*** Update File: a.txt
@@
 one
-two
+2
 three
*** Add File: new/c.txt
+c
*** Delete File: gone.txt
*** Update File: old.sh
*** Move to: bin/new.sh
@@
-echo
+echo hi
*** End Patch
`;

test("many files are changed, made, removed and moved at once", async () => {
  using project = await opened();
  const { lines } = await project.call(applyPatch, { patch: envelope });
  const read = (path: string): string => readFileSync(join(project.root, path), "utf8");
  expect(["a.txt", "new/c.txt", "bin/new.sh"].map(read)).toEqual(["one\n2\nthree\n", "c\n", "echo hi\n"]);
  expect(["gone.txt", "old.sh"].map((path) => existsSync(join(project.root, path)))).toEqual([false, false]);
  expect(statSync(join(project.root, "bin/new.sh")).mode & 0o777).toBe(0o755);
  expect(lines.toSorted()).toEqual(
    [
      "Changed a.txt (+1 -1)",
      "1\tone",
      "-\ttwo",
      "2+\t2",
      "3\tthree",
      "Created new/c.txt (+1 -0)",
      "Deleted gone.txt (+0 -1)",
      "Deleted old.sh (+0 -1)",
      "Created bin/new.sh (+1 -0)",
      "(old.sh moved to bin/new.sh)",
    ].toSorted(),
  );
  expect([project.ledger.has("new/c.txt", 1), project.ledger.has("bin/new.sh", 1)]).toEqual([true, false]);
});

test("a unified diff does as well", async () => {
  using project = await opened();
  const patch =
    "--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n--- a/b.txt\n+++ b/b.txt\n@@ -1 +1 @@\n-x\n+y\n";
  await project.call(applyPatch, { patch });
  expect([
    readFileSync(join(project.root, "a.txt"), "utf8"),
    readFileSync(join(project.root, "b.txt"), "utf8"),
  ]).toEqual(["one\n2\nthree\n", "y\n"]);
});

test.each([
  ["a hunk that fits nowhere", (patch: string) => patch.replace("-two", "-zwei")],
  ["a file in the way", (patch: string) => patch.replace("new/c.txt", "b.txt")],
  ["a missing file", (patch: string) => patch.replace("gone.txt", "never.txt")],
  ["a protected file", (patch: string) => patch.replace("new/c.txt", ".git/hooks/x")],
  ["a file that needs a person", (patch: string) => patch.replace("new/c.txt", "AGENTS.md")],
  ["a path outside", (patch: string) => patch.replace("new/c.txt", "../c.txt")],
  ["no end", (patch: string) => patch.replace("*** End Patch\n", "")],
])("%s leaves every file as it was", async (_, spoil) => {
  using project = await opened();
  await project.failure(applyPatch, { patch: spoil(envelope) });
  const now = Object.keys(files).map((path) => [path, readFileSync(join(project.root, path), "utf8")]);
  expect(now).toEqual(Object.entries(files));
  expect(
    ["new", "bin", ".git", "AGENTS.md", "../c.txt"].filter((path) => existsSync(join(project.root, path))),
  ).toEqual([]);
});

test("files of a patch have to be read first, as others", async () => {
  using project = openCodeProject(files);
  expect(await project.failure(applyPatch, { patch: envelope })).toMatch(/^Read a\.txt first: /);
});

test("an image that was looked at is moved, an empty file that was read is removed", async () => {
  const png = pngOf(3, 2);
  using project = openCodeProject({ "old.png": png, empty: "" });
  for (const path of ["old.png", "empty"]) await project.call(readFile, { path });
  await project.call(applyPatch, {
    patch: "*** Begin Patch\n*** Update File: old.png\n*** Move to: new.png\n*** Delete File: empty\n*** End Patch\n",
  });
  expect(readdirSync(project.root)).toEqual(["new.png"]);
  expect(readFileSync(join(project.root, "new.png"))).toEqual(png);
});

test.each([
  ["100777", 0o777],
  ["100100", 0o777],
  ["100666", 0o666],
  ["107644", 0o666],
])("of the mode of a new file only whether it can be run is taken, within the umask: %s", async (mode, before) => {
  using project = openCodeProject({});
  const patch = `diff --git a/run b/run\nnew file mode ${mode}\n--- /dev/null\n+++ b/run\n@@ -0,0 +1 @@\n+x\n`;
  await project.call(applyPatch, { patch });
  expect(statSync(join(project.root, "run")).mode & 0o7777).toBe(before & ~process.umask());
});
