/** `--tools`: what a model is given to work with. */

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { call, say } from "@croft/harness/testing";
import { expect, test } from "vitest";
import { needs } from "../support/needs.ts";
import { croft, eventsOf, makeWorld } from "./croft.ts";
import { key, serve, serveChat } from "./server.ts";

const enclosed = test.runIf(process.platform === "linux" && needs("bwrap"));
const files = { "a.txt": "one\ntwo\n" };
const editor = (input: object) => call("str_replace_based_edit_tool", input);
const working = [
  editor({ command: "view", path: "a.txt" }),
  editor({ command: "str_replace", path: "a.txt", old_str: "two", new_str: "2" }),
  editor({ command: "insert", path: "a.txt", insert_line: 1, insert_text: "and" }),
  editor({ command: "create", path: "b.txt", file_text: "new\n" }),
  call("bash", { command: "x=1; cat a.txt" }),
  call("bash", { command: "echo $x; ls" }),
  say("Done: a.txt:2."),
];

enclosed("a task done with the tools that Anthropic has defined, sent as such, replayed to the byte", async () => {
  const server = await serve(working);
  const world = makeWorld(files);
  const trace = join(world.base, "t.jsonl");
  const env = { ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: server.url };
  const run = ["run", "--yes", "--tools", "anthropic", "--json", "--trace", trace, "Go."];
  const { code, out } = await croft(world, run, { env });
  expect([code, readFileSync(join(world.project, "a.txt"), "utf8")]).toEqual([0, "one\nand\n2\n"]);
  expect(server.requests[0]?.body.tools?.slice(0, 3)).toEqual([
    { type: "text_editor_20250728", name: "str_replace_based_edit_tool" },
    { type: "bash_20250124", name: "bash" },
    expect.objectContaining({ name: "search", input_schema: expect.anything() }),
  ]);
  const previews = eventsOf(out).flatMap(({ type, preview }) => (type === "tool_result" ? [preview] : []));
  expect(previews).toEqual([
    "a.txt: lines 1-2 of 2",
    "Changed a.txt (+1 -1)",
    "Changed a.txt (+1 -0)",
    "Created b.txt (+1 -0)",
    "exit code 0",
    "exit code 0",
  ]);
  const last = JSON.stringify(server.requests.at(-1)?.body.messages.at(-1)?.content);
  expect(last).toContain(String.raw`exit code 0\n1\na.txt\nb.txt`);
  const replayed = await croft(world, ["replay", trace]);
  expect([replayed.code, replayed.err]).toEqual([0, expect.stringContaining("replay: identical")]);
  writeFileSync(join(world.project, "a.txt"), files["a.txt"]);
  const again = await croft(world, ["replay", trace, "--live-tools"]);
  expect([again.code, again.err.split("\n").at(-2)]).toEqual([
    0,
    expect.stringMatching(/identical, .*; 1 call made again$/),
  ]);
});

enclosed("another service gets them as any tool, with words and a schema", async () => {
  const server = await serveChat([call("bash", { command: "echo hi" }), say("Done.")]);
  const world = makeWorld(files);
  const env = { OPENAI_API_KEY: key, OPENAI_BASE_URL: server.url };
  const { code } = await croft(world, ["run", "--yes", "--tools", "anthropic", "--model", "openai/test", "Go."], {
    env,
  });
  expect(code).toBe(0);
  const [, bash] = server.requests[0]?.body.tools ?? [];
  expect(bash).toEqual({
    type: "function",
    function: {
      name: "bash",
      description: expect.stringContaining("a shell that stays"),
      parameters: {
        type: "object",
        properties: { command: expect.anything(), restart: expect.anything() },
        additionalProperties: false,
      },
    },
  });
});

enclosed("a session keeps the tools it was begun with, and whoever asks for others is told", async () => {
  const server = await serve([say("Hello."), say("Again."), say("New.")]);
  const world = makeWorld(files);
  const env = { ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: server.url };
  mkdirSync(join(world.home, ".config/croft"), { recursive: true });
  writeFileSync(join(world.home, ".config/croft/config.jsonc"), '{ "tools": "artifact" }');
  await croft(world, ["run", "--yes", "Hello."], { env });
  const resumed = await croft(world, ["resume", "--yes", "--tools", "code", "Again."], { env });
  expect(resumed.err).toContain(
    "The session goes on with the tools it was begun with, artifact: those of code are for a new one.",
  );
  await croft(world, ["run", "--yes", "--tools", "ask", "New."], { env });
  const names = server.requests.map(({ body }) => (body.tools ?? []).slice(0, 3).map(({ name }) => name));
  const artifact = ["open_file", "open_json_file", "open_markdown_file"];
  expect(names).toEqual([artifact, artifact, ["list_files", "read_file", "search"]]);
});

test("croft tool has the same tools; a file is looked at without a sandbox", async () => {
  const world = makeWorld(files);
  const view = JSON.stringify({ command: "view", path: "a.txt", view_range: [2, 2] });
  const viewed = await croft(world, ["tool", "--tools", "anthropic", "str_replace_based_edit_tool", view]);
  expect([viewed.code, viewed.out, viewed.err]).toEqual([0, "a.txt: lines 2-2 of 2\n2\ttwo\n", ""]);
  const opened = await croft(world, ["tool", "--tools", "artifact", "open_file", '{"path":"a.txt"}']);
  expect([opened.code, opened.out]).toEqual([0, expect.stringMatching(/^a1-\w+: a\.txt, text, 8 bytes\n$/)]);
  const unknown = await croft(world, ["tool", "--tools", "mine"]);
  expect([unknown.code, unknown.err]).toEqual([
    2,
    'croft: There are no tools called "mine". There are: code, ask, artifact, anthropic. (E_ARGUMENTS)\n',
  ]);
});
