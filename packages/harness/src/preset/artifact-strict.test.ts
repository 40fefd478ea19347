import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Action } from "../gate/action.ts";
import { policyGate, strictGate } from "../gate/rules.ts";
import { artifactRig } from "./artifact-rig.testing.ts";
import type { Gate } from "../gate/gate.ts";

const files = { "a.txt": "one\ntwo\n", "a.json": '{"a":1}', "a.md": "# A\n", ".git/config": "x", ".env": "S=1" };

/** A call of each tool that names a path, or none at all. */
const first: readonly [name: string, input: object][] = [
  ["open_file", { path: "a.txt" }],
  ["open_json_file", { path: "a.json" }],
  ["open_markdown_file", { path: "a.md" }],
  ["stage_file", { path: "a.txt" }],
  ["stage_file", { content: "x" }],
  ["list_directory", { path: "." }],
  ["search_files", { pattern: "one" }],
  ["find_files", { glob: "*" }],
];

/** Notes every question, and answers as it is told. */
function decider(answer: (action: Action, nth: number) => boolean): { gate: Gate; asked: string[] } {
  const asked: string[] = [];
  const gate = strictGate(async (action) => {
    const what =
      action.kind === "write"
        ? action.changes.map((change) => change.asked).join()
        : "asked" in action
          ? action.asked
          : "run";
    asked.push(`${action.kind} ${what}`);
    return { allowed: answer(action, asked.length), note: "ask me later" };
  });
  return { gate, asked };
}

test.each(first)(
  "%s with %j is a question, and its refusal reaches the model with what the person said",
  async (name, input) => {
    const { gate, asked } = decider(() => false);
    const { call } = await artifactRig(files, { trust: "strict", gate });
    expect(await call(name, input)).toBe(
      "[E_SANDBOX_REFUSED, refused] The user did not allow this: ask me later. Ask what they want instead.",
    );
    expect(asked).toHaveLength(1);
  },
);

test.each(first)("%s with %j is refused at once where nobody decides", async (name, input) => {
  for (const gate of [strictGate(), policyGate(), async () => ({ allowed: true, by: "rule" }) as const]) {
    const { call } = await artifactRig(files, { trust: "strict", gate });
    expect(await call(name, input)).toMatch(
      /^\[E_SANDBOX_REFUSED, refused\] This is not allowed: it needs a person's approval.*, and nobody can be asked in this run\. Go on without it, and say so\.$/,
    );
  }
});

test("what was opened or staged is asked about again with every call", async () => {
  const { gate, asked } = decider(() => true);
  const { call, open } = await artifactRig(files, { trust: "strict", gate });
  const text = await open("open_file", { path: "a.txt" });
  const json = await open("open_json_file", { path: "a.json" });
  const markdown = await open("open_markdown_file", { path: "a.md" });
  const staged = await open("stage_file", { path: "a.txt" });
  const calls: [name: string, input: object, asked: string[]][] = [
    ["artifact_head", { artifact_id: text }, ["read a.txt"]],
    ["artifact_tail", { artifact_id: text }, ["read a.txt"]],
    ["artifact_cat", { artifact_id: text, start: 1 }, ["read a.txt"]],
    ["artifact_grep", { artifact_id: text, pattern: "o" }, ["read a.txt"]],
    ["artifact_line_count", { artifact_id: text }, ["read a.txt"]],
    ["artifact_json_get", { artifact_id: json }, ["read a.json"]],
    ["artifact_json_keys", { artifact_id: json }, ["read a.json"]],
    ["artifact_json_filter", { artifact_id: json }, ["read a.json"]],
    ["artifact_md_headings", { artifact_id: markdown }, ["read a.md"]],
    ["artifact_md_sections", { artifact_id: markdown, sections: ["1"] }, ["read a.md"]],
    ["apply_patch", { media_id: staged, patch: { find: "two", replace: "2" } }, [`read ${staged}`]],
  ];
  for (const [name, input, questions] of calls) {
    asked.length = 0;
    expect(await call(name, input), name).not.toContain("E_SANDBOX");
    expect([name, asked]).toEqual([name, questions]);
  }
  const refused = decider((_, nth) => nth === 1);
  const other = await artifactRig(files, { trust: "strict", gate: refused.gate });
  const id = await other.open("open_file", { path: "a.txt" });
  expect(await other.call("artifact_head", { artifact_id: id })).toMatch(/^\[E_SANDBOX_REFUSED, refused\]/);
});

test("a save is asked about before anything is looked up, and then with its diff", async () => {
  const actions: Action[] = [];
  const gate = strictGate(async (action) => {
    actions.push(action);
    return { allowed: true };
  });
  const { call, open } = await artifactRig(files, { trust: "strict", gate });
  const id = await open("apply_patch", {
    media_id: await open("stage_file", { path: "a.txt" }),
    patch: { find: "two", replace: "2" },
  });
  actions.length = 0;
  expect(await call("save_media", { media_id: id, path: "a.txt" })).toMatch(/^Changed a\.txt/);
  const diffs = actions.flatMap((action) =>
    action.kind === "write" ? action.changes.map(({ diff }) => diff) : [action.kind],
  );
  expect(diffs).toEqual(["read", "", expect.stringContaining("-two\n+2\n")]);
});

test("a new file is saved; where that cannot be, it reads the same whatever is there", async () => {
  const { gate } = decider(() => true);
  const { root, call, open } = await artifactRig(files, { trust: "strict", gate });
  const id = await open("stage_file", { content: "x\n" });
  expect(await call("save_media", { media_id: id, path: "new/b.txt" })).toBe(
    `Created new/b.txt (+1 -0)\n(${id} is saved)`,
  );
  expect(readFileSync(join(root, "new/b.txt"), "utf8")).toBe("x\n");
  const said = new Set<string>();
  for (const path of [".git/config", ".git/new", ".bashrc", "../new", "/tmp/new", "a.txt/new"]) {
    said.add(await call("save_media", { media_id: await open("stage_file", { content: "y\n" }), path }));
  }
  expect([...said]).toEqual(["[E_SANDBOX_REFUSED, refused] This path is not available. Go on without it, and say so."]);
});

test("what is denied, absent, outside or a link out reads the same", async () => {
  const { gate } = decider(() => true);
  const { call } = await artifactRig({ ...files, out: { link: "OUTSIDE/secret.txt" } }, { trust: "strict", gate });
  const said = new Set<string>();
  for (const path of [
    ".git/config",
    ".git/nowhere",
    "gone",
    "gone/deep",
    "../outside/secret.txt",
    "/etc/passwd",
    "out",
    "~/x",
  ]) {
    for (const name of ["open_file", "open_json_file", "open_markdown_file", "stage_file"])
      said.add(await call(name, { path }));
    said.add(await call("list_directory", { path }));
  }
  expect([...said]).toEqual(["[E_SANDBOX_REFUSED, refused] This path is not available. Go on without it, and say so."]);
});
