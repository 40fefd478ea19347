import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, join } from "node:path";
import { say } from "@croft/harness/testing";
import { expect, onTestFinished, test } from "vitest";
import { needs } from "../support/needs.ts";
import { bin, croft, makeWorld, type RunOptions, type World } from "./croft.ts";
import { key, serve, serveChat } from "./server.ts";

const asRoot = process.getuid?.() === 0;

type Check = { name: string; state: string; says: string; remedy?: string };
type Examined = { code: number | null; ok: boolean; checks: Record<string, Check> };

async function examine(world: World, options: RunOptions = {}): Promise<Examined> {
  const { code, out, err } = await croft(world, ["doctor", "--json"], options);
  expect(err).toBe("");
  const { ok, checks }: { ok: boolean; checks: Check[] } = JSON.parse(out);
  return { code, ok, checks: Object.fromEntries(checks.map((check) => [check.name, check])) };
}

/** A folder of programs, each a shell script. */
function programs(world: World, scripts: Readonly<Record<string, string>>): string {
  const folder = join(world.base, "bin");
  mkdirSync(folder);
  for (const [name, script] of Object.entries(scripts)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder, name), 0o755);
  }
  return folder;
}

test("everything is told in order, one line a check and one for what to do, and croft is well enough without a key", async () => {
  const { code, out, err } = await croft(makeWorld(), ["doctor"]);
  expect([code, err]).toEqual([0, ""]);
  const names = out.split("\n").flatMap((line) => /^(?:ok|warn|fail) +(\w+) /.exec(line)?.[1] ?? []);
  expect(names).toEqual([
    "node",
    "ripgrep",
    "git",
    "sandbox",
    "project",
    "config",
    "model",
    "state",
    "cache",
    "terminal",
  ]);
  expect(out).toContain(
    "warn model    offline: no ANTHROPIC_API_KEY. It answers questions; croft run needs a model.\n              Set ANTHROPIC_API_KEY for the default model, or name another with --model.\n",
  );
});

test("programs are found and run; the bundled ripgrep needs no PATH", async () => {
  const world = makeWorld();
  const { code, checks } = await examine(world, { env: { PATH: programs(world, { git: "echo git version 9.9" }) } });
  expect([code, checks["node"]?.says, checks["ripgrep"]?.says, checks["git"]]).toEqual([
    0,
    expect.stringMatching(/^Node v\d+\.\d+\.\d+ \(croft needs >=22\.19\)\.$/),
    expect.stringMatching(/^ripgrep \d+\.\d+/),
    { name: "git", state: "ok", says: `git version 9.9 (${world.base}/bin/git).` },
  ]);
});

test("a program that does not work is told", async () => {
  const world = makeWorld();
  const { checks } = await examine(world, { env: { PATH: programs(world, { git: "echo broken >&2; exit 3" }) } });
  expect(checks["git"]).toEqual({
    name: "git",
    state: "warn",
    says: `${world.base}/bin/git ends with 3: broken.`,
    remedy: "Questions are answered without it. To have it, install git.",
  });
});

const version = 'if [ "$1" = --version ]; then echo bubblewrap';

test.runIf(process.platform === "linux").each([
  ["missing", undefined, "bubblewrap is not installed.", /^Install it: /],
  ["too old", `${version} 0.6.2; exit; fi`, "bubblewrap 0.6.2 is too old.", /^Update it to 0\.8 or newer\.$/],
  [
    "blocked",
    `${version} 0.11.0; exit; fi; echo "bwrap: setting up uid map: Permission denied" >&2; exit 1`,
    "bubblewrap is blocked: bwrap: setting up uid map: Permission denied.",
    /^Allow unprivileged user namespaces: /,
  ],
  [
    "one that runs nothing",
    `${version} 0.11.0; exit; fi`,
    "bubblewrap is blocked: it ran nothing and did not say why.",
    /^Allow/,
  ],
])("a sandbox that is %s is a warning with a remedy of its own", async (_, script, says, remedy) => {
  const world = makeWorld();
  const PATH = programs(world, script === undefined ? {} : { bwrap: script });
  const { code, checks } = await examine(world, { env: { PATH } });
  expect([code, checks["sandbox"]]).toEqual([
    0,
    {
      name: "sandbox",
      state: "warn",
      says: `${says} So every command is a question.`,
      remedy: expect.stringMatching(remedy),
    },
  ]);
});

test.runIf(process.platform === "linux")(
  "a sandbox that says itself that it lets something through is not trusted",
  async () => {
    // It only says so: what the probe attempts must never be run outside of a sandbox.
    const script = `${version} 0.11.0; exit; fi; echo "reading a file outside"; echo done`;
    const world = makeWorld();
    const { checks } = await examine(world, { env: { PATH: programs(world, { bwrap: script }) } });
    expect(checks["sandbox"]).toMatchObject({
      state: "warn",
      says: "bubblewrap is blocked: it does not hold against reading a file outside. So every command is a question.",
    });
  },
);

test.runIf(process.platform === "linux" && needs("bwrap"))(
  "a sandbox that holds is told, with what it cannot limit",
  async () => {
    const { checks } = await examine(makeWorld());
    expect(checks["sandbox"]).toEqual({
      name: "sandbox",
      state: "ok",
      says: expect.stringMatching(/^bubblewrap holds the commands that are run in it(?:, without a limit on .+)?\.$/),
    });
  },
);

test("a service is asked for no more than an answer: nothing is spent, and the key is not told", async () => {
  const [messages, chat] = await Promise.all([serve(() => say("Yes.")), serveChat(() => say("Yes."))]);
  const first = await examine(makeWorld(), { env: { ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: messages.url } });
  const env = { OPENAI_API_KEY: key, OPENAI_BASE_URL: chat.url, CROFT_MODEL: "openai/test" };
  const second = await examine(makeWorld(), { env });
  expect([first.checks["model"], second.checks["model"]]).toEqual([
    {
      name: "model",
      state: "ok",
      says: `anthropic/claude-opus-5-5 at ${messages.url}, with a key: answers (HTTP 404).`,
    },
    { name: "model", state: "ok", says: `openai/test at ${chat.url}, with a key: answers (HTTP 404).` },
  ]);
  expect([messages.requests.length, chat.requests.length]).toEqual([0, 0]);
  expect(JSON.stringify([first, second])).not.toContain(key);
});

test("a model that its service does not list is a warning, with those that it lists", async () => {
  const server = createServer(
    (_, response) => void response.end('{"data":[{"id":"qwen3:8b"},{"id":"llama4:latest"}]}'),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const checked = async (model: string): Promise<Check | undefined> => {
    const env = { OLLAMA_HOST: `127.0.0.1:${port}` };
    const { out } = await croft(makeWorld(), ["doctor", "--json", "--model", model], { env });
    const { checks }: { checks: Check[] } = JSON.parse(out);
    return checks.find(({ name }) => name === "model");
  };
  expect((await checked("ollama/qwen3:8b"))?.state).toBe("ok");
  expect((await checked("ollama/llama4"))?.state).toBe("ok");
  expect(await checked("ollama/qwen3")).toEqual({
    name: "model",
    state: "warn",
    says: `ollama/qwen3 at http://127.0.0.1:${port}/v1, without a key: answers, but does not list this model.`,
    remedy: "Name one that it lists: qwen3:8b, llama4:latest.",
  });
});

test("a service that is not there, or a key that is missing, fails with the next step", async () => {
  const server = await serve(() => say("Yes."));
  await server.close();
  const { url } = server;
  const gone = await examine(makeWorld(), { env: { ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: url } });
  const keyless = await examine(makeWorld(), { env: { CROFT_MODEL: "openai/x" } });
  expect([gone.code, gone.ok, gone.checks["model"], keyless.code, keyless.checks["model"]]).toEqual([
    1,
    false,
    {
      name: "model",
      state: "fail",
      says: `anthropic/claude-opus-5-5 at ${url}, with a key: cannot be reached (ECONNREFUSED).`,
      remedy: "Check the network, a proxy, the base URL, and that the server is running.",
    },
    1,
    {
      name: "model",
      state: "fail",
      says: "openai/x needs a key.",
      remedy: "Set OPENAI_API_KEY, or use --model offline.",
    },
  ]);
});

test("a configuration that cannot be read fails, one that asks for too much is a warning", async () => {
  const world = makeWorld({ ".croft/config.jsonc": '{ "policy": { "allow": ["**"] } }' });
  const asking = await examine(world);
  expect([asking.code, asking.checks["config"]?.remedy]).toEqual([0, "See croft config trust."]);
  const file = join(world.home, ".config/croft/config.jsonc");
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, "{ nonsense }");
  const broken = await examine(world);
  expect([broken.code, broken.checks["config"]?.state, broken.checks["model"]?.state]).toEqual([1, "fail", "warn"]);
  expect(broken.checks["config"]?.says).toMatch(/^~\/\.config\/croft\/config\.jsonc:1:3: /);
});

test("in a folder that is no project it still tells the rest", async () => {
  const world = makeWorld();
  const { code, checks } = await examine(world, { cwd: world.home });
  expect([code, checks["project"]?.state, checks["model"]?.state]).toEqual([0, "warn", "warn"]);
});

test("folders that others can look into, or that are none, are told", async () => {
  const world = makeWorld();
  mkdirSync(join(world.home, ".local/state/croft"), { recursive: true });
  chmodSync(join(world.home, ".local/state/croft"), 0o755);
  symlinkSync("/dev/null", join(world.base, "croft"));
  const { code, checks } = await examine(world, { env: { XDG_CACHE_HOME: world.base } });
  expect([code, checks["state"], checks["cache"]]).toEqual([
    1,
    {
      name: "state",
      state: "warn",
      says: "~/.local/state/croft is open to others (mode 755).",
      remedy: "Close it: chmod 700 ~/.local/state/croft",
    },
    {
      name: "cache",
      state: "fail",
      says: `${world.base}/croft is no folder.`,
      remedy: "Set XDG_CACHE_HOME to a folder that can be written.",
    },
  ]);
});

test.runIf(asRoot)("a folder that cannot be written fails", async () => {
  const world = makeWorld();
  for (const folder of [world.base, world.home, world.project]) chmodSync(folder, 0o555);
  const { code, checks } = await examine(world, { uid: 65534 });
  expect([code, checks["state"]?.says]).toEqual([1, "~/.local/state/croft cannot be written: EACCES."]);
});

test("a folder for state on a disk that is full fails, and nothing of the look stays", async () => {
  const world = makeWorld();
  mkdirSync(join(world.home, ".local/state/croft"), { recursive: true, mode: 0o700 });
  // Kilobytes of any one file: as a full disk has it.
  const limited = ["-c", 'ulimit -f 0; exec "$@"', "sh", process.execPath, bin, "doctor", "--json"];
  const env = { PATH: process.env["PATH"], HOME: world.home };
  const { stdout, status } = spawnSync("bash", limited, { cwd: world.project, env, encoding: "utf8" });
  const { checks }: { checks: Check[] } = JSON.parse(stdout);
  expect([status, checks.find(({ name }) => name === "state")]).toEqual([
    1,
    {
      name: "state",
      state: "fail",
      says: "~/.local/state/croft cannot be written: there is no room (EFBIG).",
      remedy: "Set XDG_STATE_HOME to a folder that can be written.",
    },
  ]);
  expect(readdirSync(join(world.home, ".local/state/croft"))).toEqual([]);
});

test.runIf(asRoot)("a project of another user is told, for programs in the sandbox can do little in it", async () => {
  const world = makeWorld();
  chownSync(world.project, 65534, 65534);
  const { code, checks } = await examine(world);
  expect([code, checks["project"]]).toEqual([
    0,
    {
      name: "project",
      state: "warn",
      says: `${world.project} belongs to another user: programs in the sandbox can do no more in it than any user may.`,
      remedy: "Run croft as that user, or in a copy that is yours.",
    },
  ]);
});
