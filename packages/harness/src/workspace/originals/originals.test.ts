import {
  appendFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { plantTree, type Planted } from "../tree.testing.ts";
import { differences, type Difference } from "./look.ts";
import { keepOriginals, type Originals } from "./originals.ts";

const never = new AbortController().signal;
const manifest = { name: "p", scripts: { test: "node t.js" }, dependencies: {} };
const files = {
  "a.js": "a\n",
  "test/a.js": "assert\n",
  "test/deep/b.js": "assert b\n",
  "package.json": JSON.stringify(manifest),
  "node_modules/.bin/t": { link: "../t/t.js" },
  "node_modules/t/t.js": "t\n",
};

async function kept(
  more: Readonly<Record<string, Planted>> = {},
  command?: string,
): Promise<{
  root: string;
  outside: string;
  originals: Originals;
  changed: () => Promise<Difference[]>;
}> {
  const { root, outside, remove } = plantTree({ ...files, ...more });
  onTestFinished(remove);
  const originals = await keepOriginals({ root, folder: join(outside, "state"), command }, never);
  return { root, outside, originals, changed: async () => differences(originals.files, await originals.look(never)) };
}

const write = (root: string, path: string, text: string): void => writeFileSync(join(root, path), text);

test("nothing has changed where only code, dependencies, or new tests are others", async () => {
  const { root, changed } = await kept({ "Cargo.toml": "[package]\nname = 'a'\n\n[profile.test]\nx = 1\n" });
  write(root, "a.js", "b\n");
  write(root, "test/new.js", "new\n");
  write(root, "package.json", JSON.stringify({ ...manifest, dependencies: { left: "1" } }));
  mkdirSync(join(root, "packages/new"), { recursive: true });
  write(root, "packages/new/package.json", JSON.stringify(manifest));
  appendFileSync(join(root, "Cargo.toml"), "\n[dependencies]\nserde = '1'\n");
  expect(await changed()).toEqual([]);
});

test("what was changed, deleted, linked elsewhere, or defines the check anew is told", async () => {
  const { root, changed } = await kept();
  write(root, "test/a.js", "nothing\n");
  rmSync(join(root, "test/deep"), { recursive: true });
  symlinkSync("/", join(root, "test/deep"));
  write(root, "package.json", JSON.stringify({ ...manifest, scripts: { test: "true" } }));
  write(root, "conftest.py", "skip()\n");
  rmSync(join(root, "node_modules/.bin/t"));
  write(root, "node_modules/.bin/t", "exit 0\n");
  expect(await changed()).toEqual([
    { path: "conftest.py", kind: "definition", how: "new" },
    { path: "node_modules/.bin/t", kind: "program", how: "changed" },
    { path: "package.json", kind: "definition", how: "changed" },
    { path: "test/a.js", kind: "test", how: "changed" },
    { path: "test/deep/b.js", kind: "test", how: "deleted" },
  ]);
});

test("what stands where make would look for its goal is told, be it a file or a folder, and the copy is without it", async () => {
  const { root, originals, changed } = await kept({}, "make -s all-tests check");
  write(root, "all-tests", "");
  mkdirSync(join(root, "check"));
  const differences = await changed();
  expect(differences).toEqual([
    { path: "all-tests", kind: "goal", how: "new" },
    { path: "check", kind: "goal", how: "new" },
  ]);
  using tree = await originals.treeWith(differences, new Map(), never);
  expect(readdirSync(tree.folder)).not.toEqual(expect.arrayContaining(["all-tests", "check"]));
  expect(readdirSync(tree.folder)).toContain("test");
});

test.each([
  ["switches its tests off", "[package]\nname = 'a'\n", "[package]\nname = 'a'\nautotests = false\n"],
  ["does so with a key of many parts", "[package]\nname = 'a'\n", "lib.test = false\n[package]\nname = 'a'\n"],
  ["takes a member out of a workspace", "[workspace]\nmembers = ['a', 'b']\n", "[workspace]\nmembers = ['a']\n"],
  ["hides a section by blanks", "[dependencies]\n", "[dependencies]\n  [[test]] # x\nname = 't'\nharness = false\n"],
])("a Cargo.toml that %s is told, and the copy has the one from before", async (_how, before, after) => {
  const { root, originals, changed } = await kept({ "Cargo.toml": before });
  write(root, "Cargo.toml", `${after}\n[workspace.dependencies]\nserde = '1'\n`);
  const differences = await changed();
  expect(differences).toEqual([{ path: "Cargo.toml", kind: "definition", how: "changed" }]);
  using tree = await originals.treeWith(differences, new Map(), never);
  expect(readFileSync(join(tree.folder, "Cargo.toml"), "utf8")).not.toMatch(/autotests|lib\.test|\['a'\]|harness/);
});

test.each([
  ["deno.json", '{ "tasks": { "test": "deno test" } }', '{ "tasks": { "test": "true" } }'],
  ["go.mod", "module m\n\nrequire a v1\n", "module m\n\nrequire a v1\nrequire b v1\nreplace a => ./fake\n"],
  ["Cargo.toml", "[package]\nname = 'a'\n", "[package]\nname = 'a'\n[patch.crates-io]\nassert = { path = 'fake' }\n"],
  [
    "src/lib.rs",
    "fn a() {}\n\n#[cfg(test)]\nmod tests {\n    real\n}\n",
    "fn b() {}\n\n#[cfg(test)]\nmod tests {\n}\n",
  ],
])("what decides within %s is told, and the copy has that part as it was", async (path, before, after) => {
  const { root, originals, changed } = await kept({ [path]: before });
  write(root, path, after);
  const differences = await changed();
  expect(differences).toMatchObject([{ path, how: "changed" }]);
  using tree = await originals.treeWith(differences, new Map(), never);
  const copy = readFileSync(join(tree.folder, path), "utf8");
  expect(copy).not.toMatch(/"true"|fake|fn a|tests \{\n\}/);
  if (path === "src/lib.rs") expect(copy).toMatch(/^fn b\(\) \{\}\n[^]*real/);
  if (path === "go.mod") expect(copy).toContain("require b v1");
});

test("what a stranger wrote to be looked at for ever is looked at once", async () => {
  const much = 300_000;
  const { root, changed } = await kept(
    {
      "src/a.rs": "#[cfg(test)]\nmod a {\n".repeat(much),
      "src/b.rs": `#[cfg(test)]\n${"#[a]".repeat(much)}\n${"#[a]\n".repeat(much)}`,
      "go.mod": "replace (\n".repeat(much),
      "Cargo.toml": "\n".repeat(much),
      Makefile: `${":".repeat(much)}=\n`,
    },
    "make check",
  );
  write(root, "src/a.rs", "");
  expect(await changed()).toEqual([{ path: "src/a.rs", kind: "source", how: "deleted" }]);
});

test("a program that is new is told, and the copy has the programs from before", async () => {
  const { root, originals, changed } = await kept();
  write(root, "node_modules/.bin/node", "exit 0\n");
  const differences = await changed();
  expect(differences).toEqual([{ path: "node_modules/.bin/node", kind: "program", how: "new" }]);
  using tree = await originals.treeWith(differences, new Map(), never);
  expect(readdirSync(tree.shared[1]?.source ?? "")).toEqual(["t"]);
});

test("what was built since, or is ignored, is found with its place and left out of the copy; what was there stays", async () => {
  const ignored = { ".gitignore": "out\n*.log\n", "target/old": "", "src/build/a.js": "" };
  const { root, originals } = await kept(ignored);
  for (const folder of ["out/deep", "target/debug", "node_modules/.cache", "node_modules/t", "__pycache__"])
    mkdirSync(join(root, folder), { recursive: true });
  for (const path of [
    "out/deep/a",
    "target/debug/b",
    "node_modules/.cache/c",
    "node_modules/t/d",
    "e.log",
    "__pycache__/f",
  ])
    write(root, path, "");
  write(root, "src/build/a.js", "code");
  const built = await originals.changedBuilt(originals.since, never);
  expect(built).toEqual(
    new Map([
      ["out", ["out/deep/a"]],
      ["target", ["target/debug/b"]],
      ["node_modules/.cache", ["node_modules/.cache/c"]],
      ["e.log", ["e.log"]],
    ]),
  );
  expect(await originals.changedBuilt(originals.moment(), never)).toEqual(new Map());
  using tree = await originals.treeWith([], built, never);
  expect(readdirSync(tree.folder).toSorted()).toEqual([
    ".gitignore",
    "__pycache__",
    "a.js",
    "node_modules",
    "out",
    "package.json",
    "src",
    "target",
    "test",
  ]);
  expect(readdirSync(join(tree.folder, "target"), { recursive: true })).toEqual(["debug", "old"]);
  expect(tree.shared.map(({ path, source }) => [path, source.startsWith(root)])).toEqual([
    ["node_modules", true],
    ["node_modules/.cache", false],
  ]);
});

test("the copy has the code as it is and the tests as they were, and leads nowhere through links put in the way", async () => {
  const { root, outside, originals, changed } = await kept();
  write(root, "a.js", "b\n");
  mkdirSync(join(outside, "trap"));
  renameSync(join(root, "test"), join(root, "gone"));
  symlinkSync(join(outside, "trap"), join(root, "test"));
  write(root, "package.json", JSON.stringify({ ...manifest, scripts: { test: "true" }, dependencies: { left: "1" } }));
  write(root, "conftest.py", "skip()\n");
  rmSync(join(root, "node_modules/.bin/t"));
  {
    using tree = await originals.treeWith(await changed(), new Map(), never);
    const text = (path: string): string => readFileSync(join(tree.folder, path), "utf8");
    expect([text("a.js"), text("test/a.js"), text("test/deep/b.js")]).toEqual(["b\n", "assert\n", "assert b\n"]);
    expect(JSON.parse(text("package.json"))).toEqual({ ...manifest, dependencies: { left: "1" } });
    expect([existsSync(join(tree.folder, "conftest.py")), readdirSync(join(tree.folder, "node_modules"))]).toEqual([
      false,
      [],
    ]);
    expect(readdirSync(join(outside, "trap"))).toEqual([]);
    expect(tree.shared.map(({ path, writable }) => [path, writable])).toEqual([
      ["node_modules", true],
      ["node_modules/.bin", false],
    ]);
    const programs = tree.shared[1]?.source ?? "";
    expect(lstatSync(join(programs, "t")).isSymbolicLink()).toBe(true);
  }
  originals.close();
  expect(readdirSync(join(outside, "state"))).toEqual([]);
});

test("what a person approved is their version from then on", async () => {
  const { root, originals, changed } = await kept();
  write(root, "test/a.js", "other\n");
  const bytes = Buffer.from("other\n");
  originals.accept("test/a.js", { bytes, hash: "", mode: 0o644 });
  expect(await changed()).toEqual([]);
  write(root, "test/a.js", "none\n");
  expect(await changed()).toMatchObject([{ path: "test/a.js", how: "changed" }]);
  using tree = await originals.treeWith(await changed(), new Map(), never);
  expect(readFileSync(join(tree.folder, "test/a.js"), "utf8")).toBe("other\n");
});

test("scripts that the check names, and those that these name, are part of it; what is checked is not", async () => {
  const { changed, root } = await kept(
    {
      Makefile: "check:\n\t@node src/lint.js && hack/all.sh\n",
      "hack/all.sh": "./gate/check.js --all; node main.js; cat /etc/ci.sh ../ci.sh\n",
      "gate/check.js": "",
      "src/lint.js": "",
      "main.js": "",
      "other/ci.sh": "",
      "verify-it.py": "",
    },
    "python3 'verify-it.py'",
  );
  for (const path of ["hack/all.sh", "gate/check.js", "src/lint.js", "main.js", "other/ci.sh", "verify-it.py"])
    write(root, path, "true\n");
  expect((await changed()).map(({ path, kind }) => [path, kind])).toEqual([
    ["gate/check.js", "definition"],
    ["hack/all.sh", "definition"],
    ["src/lint.js", "definition"],
    ["verify-it.py", "definition"],
  ]);
});
