import { expect, test } from "vitest";
import { compileGlob } from "./glob.ts";

/** Glob, paths it matches, paths it does not. */
const table: readonly [glob: string, matching: readonly string[], other: readonly string[]][] = [
  ["a.ts", ["a.ts", "x/a.ts", "x/y/a.ts"], ["a.tsx", "a.ts/b", "ba.ts"]],
  ["/a.ts", ["a.ts"], ["x/a.ts"]],
  ["src/a.ts", ["src/a.ts"], ["x/src/a.ts", "src/x/a.ts"]],
  ["*.ts", ["a.ts", ".ts", "x/.d.ts"], ["a.js", "a.ts.map"]],
  ["*a*b*", ["ab", "xaxbx", "aab"], ["ba", "a"]],
  ["a*a", ["aa", "aba"], ["a"]],
  ["?.ts", ["a.ts", "é.ts", "😀.ts"], [".ts", "ab.ts"]],
  ["src/*", ["src/a"], ["src/a/b", "src"]],
  ["src/**", ["src/a", "src/a/b"], ["src", "x/src/a"]],
  ["**/src/**", ["src/a", "x/src/a"], ["src"]],
  ["src/**/a", ["src/a", "src/x/a", "src/x/y/a"], ["a", "src/x/ab"]],
  ["**/a/**/b/**/c", ["a/b/c", "a/a/b/x/b/c/c"], ["a/c/b", "a/b"]],
  ["a**b", ["ab", "axxb"], ["a/b"]],
  ["**", ["a", "a/b", "."], []],
  ["[a-c].ts", ["b.ts"], ["d.ts", "[a-c].ts"]],
  ["[!a-c].ts", ["d.ts"], ["b.ts"]],
  ["[^a].ts", ["b.ts"], ["a.ts"]],
  ["[]-]x", ["]x", "-x"], ["ax"]],
  ["[a\\]b]", ["]", "b"], ["\\"]],
  ["[/[ab]", ["a"], ["b/a", "/"]],
  ["[[:digit:][:upper:]]x", ["7x", "Ax"], ["ax"]],
  ["[z-a]", [], ["a", "z"]],
  ["\\*.ts", ["*.ts"], ["a.ts"]],
  ["a\\?", ["a?"], ["ab"]],
  ["(a|b)+.$", ["(a|b)+.$"], ["aa.x"]],
  ["{a,b}", ["{a,b}"], ["a"]],
  [" x", [" x"], ["x"]],
];

test.for(table)("%s", ([glob, matching, other]) => {
  const compiled = compileGlob(glob);
  const names = (path: string) => (path === "." ? [] : path.split("/"));
  expect([...matching, ...other].filter((path) => compiled?.matches(names(path)))).toEqual(matching);
});

test("a glob covers what lies in a folder it matches", () => {
  const paths = [["a", ".git", "config"], [".git"], [".gitignore"], ["x", ".github", "w"]];
  const git = compileGlob(".git");
  expect(paths.map((names) => git?.covers(names))).toEqual([true, true, false, false]);
  expect(compileGlob("**/a/b")?.covers(["x", "a", "b", "c"])).toBe(true);
  expect(compileGlob("**")?.covers([])).toBe(true);
});

test("a final slash asks for folders only", () => {
  expect([compileGlob("out/")?.foldersOnly, compileGlob("out")?.foldersOnly]).toEqual([true, false]);
  expect(compileGlob("out/")?.matches(["x", "out"])).toBe(true);
});

test.for(["", "/", "[a", "a\\", "a//b", "a\\/", "\\/a", "[[:nope:]]"])("%s is malformed", (glob) => {
  expect(compileGlob(glob)).toBeUndefined();
});

test("many stars against a long name take no time", () => {
  const name = "a".repeat(250);
  const folders = Array.from({ length: 1000 }, () => "a");
  expect(compileGlob("*a*a*a*a*a*a*a*a*a*a*b")?.matches([name])).toBe(false);
  expect(compileGlob("*[a]*[a]*[a]*[a]*[a]*[a]*[a]*[a]b")?.matches([name])).toBe(false);
  expect(compileGlob(`${"**/a/".repeat(20)}b`)?.matches(folders)).toBe(false);
});
