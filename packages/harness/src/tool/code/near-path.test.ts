import { expect, test } from "vitest";
import { editFile } from "./edit_file.ts";
import { listFiles } from "./list_files.ts";
import { openCodeProject, openProject } from "./project.testing.ts";
import { readFile } from "./read_file.ts";
import { search } from "./search.ts";

const files = {
  "src/components/Button.tsx": "",
  "src/main.ts": "",
  "shots/Shot at 3\u202fPM.png": "",
  "shots/v\u00a013.txt": "",
  "cafe\u0301.txt": "",
  "Capture d\u2019e\u0301cran.txt": "",
  ".gitignore": "dist/\n",
  "dist/out.js": "",
};

const missed: readonly [asked: string, there: string][] = [
  ["shots/Shot at 3 PM.png", String.raw`"shots/Shot at 3\u202fPM.png"`],
  ["shots/v 13.txt", String.raw`"shots/v\u00a013.txt"`],
  ["caf\u00e9.txt", String.raw`"cafe\u0301.txt"`],
  ["Capture d'\u00e9cran.txt", String.raw`"Capture d\u2019e\u0301cran.txt"`],
  ["SRC/Main.ts", "src/main.ts"],
  [String.raw`src\main.ts`, "src/main.ts"],
  ["src/main.ts:12", "src/main.ts"],
  ["src/main.ts:12:3", "src/main.ts"],
  ["src/main.ts#L3-L9", "src/main.ts"],
  ["@src/main.ts", "src/main.ts"],
  ["`src/main.ts`", "src/main.ts"],
  [" src/main.ts ", "src/main.ts"],
  ["Button.tsx", "src/components/Button.tsx"],
  ["src/component/button.tsx", "src/components/Button.tsx"],
];

test.each(missed)("for %j, which is not there, the file is named that probably is meant", async (path, there) => {
  using project = openProject(files);
  const remedy = `There is ${there}: name it exactly so if that is meant.`;
  expect((await project.failure(readFile, { path })).replace(/^.* in the project\. /, "")).toBe(remedy);
});

test("every tool that takes a path says so, and the name it tells can be used", async () => {
  using project = openCodeProject(files);
  const path = "shots/v 13.txt";
  const tools = [
    [readFile, { path }],
    [listFiles, { path }],
    [search, { path, pattern: "x" }],
    [editFile, { path, old_string: "", new_string: "x" }],
  ] as const;
  const said = await Promise.all(tools.map(([tool, input]) => project.failure(tool, input)));
  expect(new Set(said)).toEqual(
    new Set([
      String.raw`"shots/v 13.txt" does not lead to a file or folder in the project. There is "shots/v\u00a013.txt": name it exactly so if that is meant.`,
    ]),
  );
  expect((await project.call(readFile, { path: "shots/v\u00a013.txt" })).lines).toEqual([
    String.raw`"shots/v\u00a013.txt": empty file`,
  ]);
});

test("what nothing is like, what is ignored and what is protected is not named", async () => {
  using project = openProject({ ...files, id_rsa: "KEY\n" });
  for (const path of ["nothing.ts", "out.js", "'id_rsa'"]) {
    expect(await project.failure(readFile, { path })).toBe(
      `"${path}" does not lead to a file or folder in the project. List or search the project to find the path.`,
    );
  }
});

test("of many with the name, a few are told", async () => {
  using project = openProject(Object.fromEntries(["a", "b", "c", "d"].map((folder) => [`${folder}/index.ts`, ""])));
  expect(await project.failure(readFile, { path: "index.ts" })).toMatch(
    "There is a/index.ts, b/index.ts, c/index.ts: name it exactly so if that is meant.",
  );
});
