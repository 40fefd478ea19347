import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Failure } from "../../error.ts";
import { artifactRig } from "../../preset/artifact-rig.testing.ts";
import type { SearchBackend } from "../../workspace/search.ts";

const files = {
  ".gitignore": "*.log\n",
  ".hidden/x.ts": "needle\n",
  "a.log": "needle\n",
  "a.ts": "needle one\nother\n",
  "src/b.TS": "needle two\n",
  "src/deep/c.ts": "a.needle\n",
  ".env": "needle=1\n",
};

test("text is searched all over the project, hidden and ignored files only if asked for", async () => {
  const { call } = await artifactRig(files);
  const search = (more: object): Promise<string> => call("search_files", { pattern: "needle", ...more });
  const three = "a.ts:1: needle one\nsrc/b.TS:1: needle two\nsrc/deep/c.ts:1: a.needle";
  expect((await search({})).split("\n").toSorted()).toEqual(
    [...three.split("\n"), "(skipped: ignored files (.gitignore and the like); hidden files)"].toSorted(),
  );
  expect(await search({ limit: 3 })).toBe(`${three}\n(skipped: ignored files (.gitignore and the like); hidden files)`);
  expect(await search({ limit: 2 })).toBe(
    "a.ts:1: needle one\nsrc/b.TS:1: needle two\n(result-limited: the first 2; there are more)\n(skipped: ignored files (.gitignore and the like); hidden files)",
  );
  expect(await search({ limit: 9, hidden: true, no_ignore: true, glob: "*.{ts,log}" })).toBe(
    ".hidden/x.ts:1: needle\na.log:1: needle\na.ts:1: needle one\nsrc/deep/c.ts:1: a.needle",
  );
  expect(await search({ limit: 9, iglob: "*.ts", max_depth: 2 })).toContain("src/b.TS:1: needle two");
  expect(await search({ limit: 9, max_depth: 1 })).not.toContain("src/");
  expect(await call("search_files", { pattern: "A.NEEDLE", literal: true, ignore_case: true })).toContain(
    "src/deep/c.ts:1",
  );
});

test("files are found by name, and folders listed", async () => {
  const { call, root } = await artifactRig(files);
  symlinkSync("a.ts", join(root, "link.ts"));
  expect(await call("find_files", { glob: "*.ts" })).toBe(
    "a.ts\nsrc/deep/c.ts\n(skipped: 1 ignored (.gitignore and the like); 3 hidden)",
  );
  expect(await call("find_files", { glob: "*.ts", iglob: "*.ts", limit: 2 })).toBe(
    "a.ts\nsrc/b.TS\n(result-limited: the first 2; there are more)",
  );
  expect(await call("find_files", { glob: "*.log", no_ignore: true, max_depth: 1 })).toBe("a.log\n(skipped: 3 hidden)");
  expect(await call("find_files", { glob: "x.ts", hidden: true, no_ignore: true })).toBe(".hidden/x.ts");
  expect(await call("find_files", { glob: "*.none", hidden: true, no_ignore: true })).toBe("No such files.");
  expect(await call("list_directory", { path: "src" })).toBe("src/b.TS\nsrc/deep/\nsrc/deep/c.ts");
  expect(await call("list_directory", { path: "src", max_depth: 1 })).toBe("src/b.TS\nsrc/deep/");
  expect(await call("list_directory", { path: "a.ts" })).toMatch(/^\[E_SANDBOX_NOT_FOLDER, invalid\]/);
});

test.each([
  ["find_files", { glob: "*", ignore_case: true }, "ignore_case: names are found in any case with iglob"],
  ["find_files", { glob: "*", literal: true }, "literal: a name is found as it is by a glob without * ? [ {"],
  ["find_files", { glob: "*", follow: true }, "follow: links are not followed here"],
  ["search_files", { pattern: "x", follow: true }, "follow: links are not followed here"],
  ["search_files", { pattern: "x", path: "src" }, "path: there is no such field"],
  ["search_files", { pattern: "x", limit: 0 }, "limit: must be >= 1"],
  ["search_files", { pattern: "x", limit: 1.5 }, "limit: must be a whole number"],
  ["search_files", { pattern: "x", limit: "9" }, "limit: must be a whole number"],
  ["find_files", { glob: "*", max_depth: 0 }, "max_depth: must be >= 1"],
  ["list_directory", { path: ".", max_depth: -1 }, "max_depth: must be >= 1"],
  ["list_directory", {}, "path: must be a string"],
])("%s with %j is invalid", async (name, input, problem) => {
  const { call } = await artifactRig({});
  expect(await call(name, input)).toBe(
    `[E_SANDBOX_INVALID_INPUT, invalid] Invalid input: ${problem}. Correct it and call ${name} again.`,
  );
});

test("a result of any size is kept whole under an id, and asked like a file", async () => {
  const lines = Array.from({ length: 30_000 }, (_, at) => `needle ${at + 1}`).join("\n");
  const { call } = await artifactRig({ "big.txt": lines });
  const found = await call("search_files", { pattern: "needle" });
  const note =
    /\((\d+) of 30000 lines are shown; all are kept: query it with artifact_grep or artifact_cat, artifact_id (output-\S+)\)$/;
  const [, shown, id] = note.exec(found) ?? [];
  expect(found.length).toBeLessThan(21_000);
  expect(found.split("\n").length).toBe(Number(shown) + 1);
  expect(await call("artifact_line_count", { artifact_id: id })).toBe(`${id}: 30000 lines`);
  expect(await call("artifact_grep", { artifact_id: id, pattern: ":29999:" })).toBe(
    "29999:\tbig.txt:29999: needle 29999",
  );
  expect(await call("artifact_cat", { artifact_id: id, start: 30_000 })).toBe(
    `${id}: lines 30000 to 30000\n30000\tbig.txt:30000: needle 30000`,
  );
});

/** Finds what it is told to, whatever it is asked. */
function planted(found: readonly string[], more: Partial<SearchBackend> = {}): SearchBackend {
  return {
    name: "planted",
    supportsFollow: true,
    async *search() {
      for (const path of found) yield { path, line: 1, column: 0 };
      yield { done: true, complete: true };
    },
    async *find() {
      for (const path of found) yield { path };
      yield { done: true, complete: true };
    },
    ...more,
  };
}

test("a backend of another maker is asked, and the fence still decides what is shown", async () => {
  const search = planted([".git/config", "a.ts", "../outside/secret.txt", "gone", "link"]);
  const { call, root } = await artifactRig({ "a.ts": "needle\n", ".git/config": "needle\n" }, { search });
  symlinkSync("../outside/secret.txt", join(root, "link"));
  expect(await call("search_files", { pattern: "needle", follow: true })).toBe("a.ts:1: needle");
  expect(await call("find_files", { glob: "*", follow: true })).toBe("a.ts");
});

test("a backend that gives more than it was asked for is named", async () => {
  const search = planted(["a", "a", "a", "a"], { cap: 2 });
  const { call } = await artifactRig({ a: "x\n" }, { search });
  const words =
    "[E_SANDBOX_SEARCH_FAILED, io-failure] The search backend planted gave more than the 2 findings it was asked for. What it found is not to be relied on: go on without it, and tell the user.";
  expect(await call("find_files", { glob: "*", limit: 1 })).toBe(words);
  expect(await call("search_files", { pattern: "x", limit: 1 })).toBe(words);
});

test("a backend that never says that it is done is named", async () => {
  const search = planted([], { async *search() {} });
  const { call } = await artifactRig({ a: "x\n" }, { search });
  expect(await call("search_files", { pattern: "x" })).toMatch(
    /^\[E_SANDBOX_SEARCH_FAILED, io-failure\] The search backend planted ended/,
  );
});

test("a backend with a cap refuses what names no limit or a higher one, and gives as much as it can", async () => {
  const refuse = (limit: number | undefined): void => {
    if (limit !== undefined && limit <= 2) return;
    throw new Failure("E_UNBOUNDED", "planted gives 2 findings at most.", { remedy: "Name a limit of 2 or less." });
  };
  const plain = planted(["a"], { cap: 2 });
  const search: SearchBackend = {
    ...plain,
    async *search(lookup, signal) {
      refuse(lookup.limit);
      yield* plain.search(lookup, signal);
    },
    async *find(lookup, signal) {
      refuse(lookup.limit);
      if (plain.find !== undefined) yield* plain.find(lookup, signal);
    },
  };
  const { call } = await artifactRig({ a: "x\n" }, { search });
  const refused = "[E_SANDBOX_UNBOUNDED, limit] planted gives 2 findings at most. Name a limit of 2 or less.";
  for (const limit of [undefined, 3]) {
    expect(await call("search_files", { pattern: "x", limit })).toBe(refused);
    expect(await call("find_files", { glob: "*", limit })).toBe(refused);
  }
  expect(await call("search_files", { pattern: "x", limit: 2 })).toBe("a:1: x");
  expect(await call("find_files", { glob: "*", limit: 2 })).toBe("a");
});

test("what is denied is left out of lists and searches without a word, and all else stays in its order", async () => {
  const all = { "a/1": "x\n", "m/2": "x\n", "m/3": "x\n", "z/4": "x\n" };
  const { "m/2": _two, "m/3": _three, ...allowed } = all;
  const denied = [{ name: "not m", globs: ["m", "m/**"], access: ["read"], decision: "deny" } as const];
  const [with_, without] = [await artifactRig(all, { rules: denied }), await artifactRig(allowed)];
  const calls: [name: string, input: object][] = [
    ["list_directory", { path: "." }],
    ["search_files", { pattern: "x" }],
    ["search_files", { pattern: "x", limit: 1 }],
    ["find_files", { glob: "**" }],
    ["find_files", { glob: "*/3" }],
    ["search_files", { pattern: "x", glob: "m/**" }],
  ];
  for (const [name, input] of calls) {
    expect([name, await with_.call(name, input)]).toEqual([name, await without.call(name, input)]);
  }
});
