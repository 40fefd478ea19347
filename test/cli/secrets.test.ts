import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { call, say, type ServerReply } from "@croft/harness/testing";
import { croft, makeWorld, type World } from "./croft.ts";
import { key, serve } from "./server.ts";

const password = "q7Vb2LxWm9RtZc4K";
const piped = "Hn3Jd8Ws5Tg1Kp6Y";
const config = `[db]\nuser = "app"\npassword = "${password}"\n`;
const to = (url: string): Record<string, string> => ({ ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: url });
const content = (world: World): string => readFileSync(join(world.project, "config.toml"), "utf8");

async function read(world: World, ...args: string[]): Promise<{ out: string; err: string }> {
  const { out, err } = await croft(world, ["tool", "read_file", '{"path":"config.toml"}', "-C", ".", ...args]);
  return { out, err };
}

/** Everything that croft keeps. */
function state(world: World): string {
  const folder = join(world.home, ".local/state/croft");
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  // What undo keeps are the user's own bytes.
  const kept = files.filter(({ parentPath }) => !parentPath.includes("/undo"));
  return kept.map(({ parentPath, name }) => readFileSync(join(parentPath, name), "latin1")).join("\n");
}

test.each([[[]], [["--json"]]])("a run tells nobody a secret, and writes it back: croft run %j", async (args) => {
  const world = makeWorld({ "config.toml": config });
  const script: ServerReply[] = [
    call("read_file", { path: "config.toml" }),
    call("edit_file", { path: "config.toml", old_string: '"app"', new_string: '"root"' }),
    say("`password` is at config.toml:3."),
  ];
  const server = await serve(script);
  const { code, out, err } = await croft(world, ["run", "Make it root. See @config.toml", "--yes", ...args], {
    env: to(server.url),
    input: `token=${piped}\n`,
  });
  expect([code, content(world)]).toEqual([0, config.replace("app", "root")]);
  const told = [out, err, JSON.stringify(server.requests.map(({ body }) => body)), state(world)];
  expect(told.map((text) => [text.includes(password), text.includes(piped)])).toEqual(told.map(() => [false, false]));
  expect(`${out}${err}`).toContain("1 secret hidden in config.toml");
});

test("croft tool hides secrets too, one call after the other under the same placeholder", async () => {
  const world = makeWorld({ "config.toml": config });
  const { out, err } = await read(world);
  const placeholder = /\[secret:value:[0-9a-f]{16}\]/.exec(out)?.[0] ?? "none";
  expect([out, err]).toEqual([
    `config.toml: lines 1-3 of 3\n1\t[db]\n2\tuser = "app"\n3\tpassword = "${placeholder}"\n`,
    "1 secret hidden in config.toml\n",
  ]);
  expect((await read(world, "--json")).out).toContain(placeholder);
  const edit = { path: "config.toml", old_string: `"${placeholder}"`, new_string: `"${placeholder}" # ours` };
  const edited = await croft(world, ["tool", "edit_file", JSON.stringify(edit), "-C", ".", "--yes"]);
  expect([edited.code, content(world)]).toEqual([0, config.replace(`"${password}"`, `"${password}" # ours`)]);
  expect(`${edited.out}${edited.err}`).not.toContain(password);
  const file = join(world.home, ".local/state/croft/secrets.key");
  expect([statSync(file).mode & 0o777, statSync(file).size]).toEqual([0o600, 32]);
});

test("the user's configuration shows secrets; a project's does not, and may hide them again", async () => {
  const world = makeWorld({ "config.toml": config, ".croft/config.jsonc": '{ "secrets": false }' });
  const hidden = await read(world);
  expect(hidden.out).not.toContain(password);
  expect(hidden.err).toContain(".croft/config.jsonc also sets secrets, which a project may not without your consent");
  const folder = join(world.home, ".config/croft");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "config.jsonc"), '{ "secrets": false }');
  expect((await read(world, "--no-project-config")).out).toContain(password);
  writeFileSync(join(world.project, ".croft/config.jsonc"), '{ "secrets": true }');
  expect(await read(world)).toEqual({ out: hidden.out, err: "1 secret hidden in config.toml\n" });
});

test("the reading tools of a recorded run give the same again", async () => {
  const world = makeWorld({ "config.toml": config });
  const server = await serve([call("read_file", { path: "config.toml" }), say("See config.toml:3.")]);
  const trace = join(world.base, "trace.jsonl");
  await croft(world, ["ask", "What is it?", "--trace", trace], { env: to(server.url) });
  const { code, err } = await croft(world, ["replay", trace, "--live-tools", "-C", "."]);
  expect([code, err]).toEqual([0, expect.not.stringContaining(password)]);
});

test("where no state can be kept secrets are hidden all the same", async () => {
  const world = makeWorld({ "config.toml": config });
  writeFileSync(join(world.base, "file"), "");
  const { code, out } = await croft(world, ["tool", "read_file", '{"path":"config.toml"}', "-C", "."], {
    env: { XDG_STATE_HOME: join(world.base, "file") },
  });
  expect([code, out.includes(password)]).toEqual([0, false]);
});
