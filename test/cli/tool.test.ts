import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { needs } from "../support/needs.ts";
import { croft, makeWorld, start, until } from "./croft.ts";

const files = { "a.ts": "export const a = 1;\nexport const b = 2;\n", ".env": "KEY=hidden\n", "src/c.ts": "c\n" };

/** Shell text is run only where there is a sandbox. */
const shell = process.platform === "linux" && needs("bwrap") ? " run_shell" : "";
const names =
  `list_files read_file search edit_file write_file apply_patch run_command${shell} start_process read_process stop_process read_output`.split(
    " ",
  );

test("the tools are listed, with their schemas on demand", async () => {
  const plain = await croft(makeWorld(), ["tool"]);
  expect(
    plain.out
      .trimEnd()
      .split("\n")
      .map((line) => line.split(": ")[0]),
  ).toEqual(names);
  const json = await croft(makeWorld(), ["tool", "--json"]);
  expect(
    json.out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line)),
  ).toEqual(
    names.map((name) => ({
      name,
      description: expect.any(String),
      schema: expect.objectContaining({ type: "object" }),
    })),
  );
});

test("a tool is called as a model would call it: result on stdout, exit 0", async () => {
  const { code, out, err } = await croft(makeWorld(files), ["tool", "read_file", '{"path":"a.ts"}']);
  expect([code, out, err]).toEqual([0, "a.ts: lines 1-2 of 2\n1\texport const a = 1;\n2\texport const b = 2;\n", ""]);
});

test("-C names the project", async () => {
  const world = makeWorld(files);
  const { out } = await croft(world, ["tool", "list_files", "-C", join(world.project, "src")], { cwd: world.base });
  expect(out).toBe("c.ts\n");
});

test.each([
  ["a secret", ["read_file", '{"path":".env"}']],
  ["a path outside", ["read_file", '{"path":"../home"}']],
  ["a link that leads outside", ["read_file", '{"path":"out"}']],
  ["input of the wrong shape", ["read_file", '{"path":7}']],
  ["no input where some is needed", ["read_file"]],
  ["an unknown tool", ["delete_file", "{}"]],
])("%s is a failed call: its words on stdout, exit 1", async (_, args) => {
  const world = makeWorld(files);
  symlinkSync("/etc/passwd", join(world.project, "out"));
  const { code, out, err } = await croft(world, ["tool", ...args]);
  expect([code, err]).toEqual([1, ""]);
  expect(out).toMatch(/^.+\n$/);
  expect(out).not.toMatch(/hidden|root:/);
});

test("many calls go through one session, one line each, in order; a bad line does not end it", async () => {
  const lines = [
    '{"name":"read_file","input":{"path":"a.ts","limit":1}}',
    "{not json",
    '["name"]',
    "",
    '{"name":"nope"}',
    '{"name":"list_files"}',
  ];
  const { code, out } = await croft(makeWorld(files), ["tool", "-"], { input: lines.join("\n") });
  const answers = out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect([code, answers.map(({ ok, content }) => [ok, content[0].text.split("\n")[0]])]).toEqual([
    0,
    [
      [true, "a.ts: lines 1-1 of 2"],
      [false, expect.stringMatching(/^The line is not JSON: /)],
      [false, 'A line must be an object like {"name":"read_file","input":{"path":"README.md"}}.'],
      [false, expect.stringContaining("nope")],
      [true, ".env"],
    ],
  ]);
});

test("a line of calls ends at its line feed alone, and one that is too long or no UTF-8 does not end the others", async () => {
  const lines = [
    '{"name":"search","input":{"pattern":"\u2028","literal":true}}',
    ' \r{"name":"list_files"}\r',
    `{"name":"${"x".repeat(1_500_000)}"}`,
    Uint8Array.of(0xff),
    '{"name":"list_files"}',
  ];
  const input = Buffer.concat(lines.flatMap((line) => [Buffer.from(line), Buffer.from("\n")]).slice(0, -1));
  const { code, out } = await croft(makeWorld({ "a.ts": "" }), ["tool", "-"], { input });
  const answers = out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line).content[0].text);
  expect([code, answers]).toEqual([
    0,
    ["No matches.", "a.ts", "The line is longer than 1000000 bytes.", "The line is not UTF-8.", "a.ts"],
  ]);
});

test("a call is answered before the next one is sent", async () => {
  const { child, out, ended } = start(makeWorld(files), ["tool", "-"], { stdio: ["pipe", "pipe", "pipe"] });
  for (let n = 1; n <= 3; n++) {
    child.stdin?.write('{"name":"list_files"}\n');
    await until(() => out().split("\n").length > n);
  }
  child.stdin?.end();
  expect((await ended).code).toBe(0);
});

test("waiting for calls ends with Ctrl+C", async () => {
  const { child, out, ended } = start(makeWorld(files), ["tool", "-"], { stdio: ["pipe", "pipe", "pipe"] });
  child.stdin?.write('{"name":"list_files"}\n');
  await until(() => out() !== "");
  child.kill("SIGINT");
  expect((await ended).code).toBe(130);
});

test("names no terminal should see as they are come out harmless, one a line", async () => {
  const world = makeWorld();
  for (const name of ["a\nb.ts", "c\u001b[31m.ts", "d\u202e.ts"]) writeFileSync(join(world.project, name), "needle\n");
  writeFileSync(
    Buffer.concat([Buffer.from(join(world.project, "e")), Buffer.from([0xff]), Buffer.from(".ts")]),
    "needle\n",
  );
  for (const args of [["list_files"], ["search", '{"pattern":"needle"}']]) {
    const { code, out } = await croft(world, ["tool", ...args]);
    expect(code).toBe(0);
    expect(out).toMatch(/^[\x20-\x7e\n\ufffd]*$/);
    expect(out.trimEnd().split("\n")).toHaveLength(4);
  }
});

test("an empty repository is no surprise", async () => {
  const world = makeWorld();
  mkdirSync(join(world.project, ".git"));
  writeFileSync(join(world.project, ".git/HEAD"), "ref: refs/heads/main\n");
  const list = await croft(world, ["tool", "list_files"]);
  const search = await croft(world, ["tool", "search", '{"pattern":"x"}']);
  const ask = await croft(world, ["ask", "Where is `main` defined?"]);
  expect([list, search].map(({ code, out }) => [code, out])).toEqual([
    [0, "(empty)\n"],
    [0, "No matches.\n"],
  ]);
  expect([ask.code, ask.out === ""]).toEqual([0, false]);
});

test("a change is made with --yes alone, since nobody can be asked; a single call need not read first", async () => {
  const world = makeWorld(files);
  const edit = ["tool", "edit_file", '{"path":"a.ts","old_string":"a = 1","new_string":"a = 3"}'];
  const refused = await croft(world, edit);
  expect([refused.code, refused.out]).toEqual([1, expect.stringContaining("nobody can be asked in this run")]);
  expect(readFileSync(join(world.project, "a.ts"), "utf8")).toBe(files["a.ts"]);
  const made = await croft(world, [...edit, "--yes"]);
  expect([made.code, made.out, made.err]).toEqual([
    0,
    "Changed a.ts (+1 -1)\n-\texport const a = 1;\n1+\texport const a = 3;\n2\texport const b = 2;\n",
    "",
  ]);
  expect(readFileSync(join(world.project, "a.ts"), "utf8")).toBe(files["a.ts"].replace("1", "3"));
});

test("in a session of calls a file has to be read before it is changed, and edits of one file add up", async () => {
  const world = makeWorld(files);
  const edit = (from: string, to: string): string =>
    JSON.stringify({ name: "edit_file", input: { path: "a.ts", old_string: from, new_string: to } });
  const lines = [
    edit("a = 1", "a = 3"),
    '{"name":"read_file","input":{"path":"a.ts"}}',
    edit("a = 1", "a = 3"),
    edit("a = 3", "a = 4"),
  ];
  const { out } = await croft(world, ["tool", "-", "-y"], { input: lines.join("\n") });
  expect(
    out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).ok),
  ).toEqual([false, true, true, true]);
  expect(readFileSync(join(world.project, "a.ts"), "utf8")).toBe(files["a.ts"].replace("1", "4"));
});

test("what a call changed is taken back by undo", async () => {
  const world = makeWorld(files);
  await croft(world, ["tool", "write_file", '{"path":"a.ts","content":"x\\n"}', "--yes"]);
  expect(readFileSync(join(world.project, "a.ts"), "utf8")).toBe("x\n");
  expect((await croft(world, ["undo"])).out).toBe("Undone turn 1: croft tool write_file\n  ~ a.ts\n");
  expect(readFileSync(join(world.project, "a.ts"), "utf8")).toBe(files["a.ts"]);
});

test.each([
  ["git internals", ".git/config"],
  ["croft's own configuration", ".croft/config.jsonc"],
  ["a path outside", "../x"],
  ["a secret", ".env"],
])("%s cannot be written with --yes", async (_, path) => {
  const world = makeWorld(files);
  const call = ["tool", "write_file", JSON.stringify({ path, content: "x" }), "--yes"];
  expect((await croft(world, call)).code).toBe(1);
  expect([existsSync(join(world.project, ".git")), existsSync(join(world.project, ".croft"))]).toEqual([false, false]);
  expect([existsSync(join(world.base, "x")), readFileSync(join(world.project, ".env"), "utf8")]).toEqual([
    false,
    "KEY=hidden\n",
  ]);
});
