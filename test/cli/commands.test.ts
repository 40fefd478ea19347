/** Commands through the whole of croft: the built program, a strict server, the real sandbox. */

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { call, say, type MessagesServer, type ServerReply } from "@croft/harness/testing";
import { needs } from "../support/needs.ts";
import { croft, eventsOf, makeWorld, start, until, type Ended, type RunOptions, type World } from "./croft.ts";
import { hasPty, onTerminal } from "./pty.ts";
import { key, serve } from "./server.ts";

const hasSandbox = process.platform === "linux" && needs("bwrap");
const to = (url: string): Record<string, string> => ({ ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: url });

const files = {
  "package.json": '{ "name": "sums", "type": "module", "scripts": { "test": "node --test" } }\n',
  "add.js": "export const add = (a, b) => a - b;\n",
  "add.test.js":
    'import assert from "node:assert";\nimport test from "node:test";\nimport { add } from "./add.js";\n' +
    'test("adds", () => assert.equal(add(1, 2), 3));\n',
};

/** A repository with one commit by the user whom their own settings name. */
function repository(more: Readonly<Record<string, string>> = {}): World {
  const world = makeWorld({ ...files, ...more });
  writeFileSync(join(world.home, ".gitconfig"), '[user]\n\tname = Ann \\"A\\" Author\n\temail = ann@example.com\n');
  git(world, "init", "-q");
  git(world, "add", "-A");
  git(world, "commit", "-q", "-m", "first");
  return world;
}

function git({ project, home }: World, ...args: string[]): string {
  const env = { PATH: process.env["PATH"], HOME: home };
  return execFileSync("git", args, { cwd: project, encoding: "utf8", env });
}

const content = (world: World, path: string): string => readFileSync(join(world.project, path), "utf8");
const command = (...argv: string[]): ReturnType<typeof call> => call("run_command", { argv });

type Ran = Ended & { server: MessagesServer; results: string[] };

async function ran(
  world: World,
  script: readonly ServerReply[],
  args: string[] = [],
  options: RunOptions = {},
): Promise<Ran> {
  const server = await serve(script);
  const ended = await croft(world, ["run", "Do it.", ...args], {
    ...options,
    env: { ...to(server.url), ...options.env },
  });
  return { ...ended, server, results: resultsOf(server) };
}

/** All results of tools, as the model reads them. */
function resultsOf(server: MessagesServer): string[] {
  const messages = server.requests.at(-1)?.body.messages ?? [];
  return messages.flatMap(({ content }) =>
    (Array.isArray(content) ? content : []).flatMap((block) => {
      if (block.type !== "tool_result") return [];
      const parts: unknown[] = Array.isArray(block.content) ? block.content : [];
      return [parts.map((part) => String(Object(part).text)).join("\n")];
    }),
  );
}

/** What the model reads where nobody can be asked. */
function refused(why: string): string {
  return `This is not allowed: it needs a person's approval (${why}), and nobody can be asked in this run. Go on without it, and say so.`;
}

describe.runIf(hasSandbox)("in the sandbox", () => {
  test("a failing test is seen, its cause is fixed, and the test passes: unasked but for the change", async () => {
    const world = repository();
    const { code, results, err } = await ran(
      world,
      [
        [command("npm", "test"), call("read_file", { path: "add.js" })],
        call("edit_file", { path: "add.js", old_string: "a - b", new_string: "a + b" }),
        command("npm", "test"),
        say("`add` adds now: add.js:1."),
      ],
      ["--yes"],
    );
    expect(code).toBe(0);
    expect(results.map((text) => text.split("\n")[0])).toEqual([
      "exit code 1",
      "add.js: lines 1-1 of 1",
      "Changed add.js (+1 -1)",
      "exit code 0",
    ]);
    expect(results[0]).toContain("-1 == 3");
    expect(err).toMatch(/\n {3}exit 1 in \d+\.\d s\n[^]*\n {3}exit 0 in \d+\.\d s\n/);
  });

  test("the tools are those of the sandbox, and prompt and tools stay within 12 KB", async () => {
    const { server } = await ran(repository(), [say("Nothing to do.")]);
    const { system, tools = [] } = server.requests[0]?.body ?? {};
    expect(tools.slice(6).map(({ name }) => name)).toEqual([
      "run_command",
      "run_shell",
      "start_process",
      "read_process",
      "stop_process",
      "read_output",
      "explore",
      "todo",
    ]);
    expect(Buffer.byteLength(JSON.stringify({ system, tools }))).toBeLessThanOrEqual(12 * 1024);
  });

  test("git commits as the user, and its hooks and settings stay as they are", async () => {
    const world = repository();
    const before = content(world, ".git/config");
    const hook = "echo '#!/bin/sh' > .git/hooks/pre-commit; git config user.name Evil; exit 0";
    const { results } = await ran(
      world,
      [
        call("write_file", { path: "new.js", content: "export {};\n" }),
        command("git", "add", "-A"),
        command("git", "commit", "-m", "second"),
        call("run_shell", { command: hook }),
        say("Committed."),
      ],
      ["--yes"],
    );
    expect(results.map((text) => text.split("\n")[0])).toEqual([
      "Created new.js (+1 -0)",
      "exit code 0",
      "exit code 0",
      expect.stringMatching(/needs a person's approval \(`> \.git\/hooks\/pre-commit` in /),
    ]);
    expect(git(world, "log", "--format=%an <%ae> %s")).toBe(
      'Ann "A" Author <ann@example.com> second\nAnn "A" Author <ann@example.com> first\n',
    );
    expect([git(world, "status", "--porcelain"), content(world, ".git/config")]).toEqual(["", before]);
  });

  test("deleting, publishing and leaving the sandbox are refused where nobody can be asked, with --yes too", async () => {
    const world = repository();
    const { results, err } = await ran(
      world,
      [
        [
          command("rm", "add.js"),
          call("run_shell", { command: "true && rm add.js" }),
          command("git", "push"),
          call("run_command", { argv: ["ls"], outside_sandbox: "to see more" }),
          call("run_command", { argv: ["npm", "install"], hosts: ["registry.npmjs.org"] }),
        ],
        say("Refused."),
      ],
      ["--yes"],
    );
    expect(results).toEqual([
      refused("`rm add.js`: the rule `rm` (ask)"),
      refused("`rm add.js` in `true && rm add.js`: the rule `rm` (ask)"),
      refused("`git push`: the rule `git push` (ask)"),
      refused("it leaves the sandbox"),
      refused("it reaches registry.npmjs.org"),
    ]);
    expect(existsSync(join(world.project, "add.js"))).toBe(true);
    expect(err).toContain("--yes does not cover it.");
  });

  test("without --yes what no rule knows is refused, and what only looks is run", async () => {
    const { results } = await ran(repository(), [[command("node", "add.js"), command("ls")], say("So.")]);
    expect(results).toEqual([
      expect.stringMatching(/needs a person's approval.* with --yes\./),
      "exit code 0\nadd.js\nadd.test.js\npackage.json",
    ]);
  });

  test("there is no network but to hosts that were named, and those only where the user lets it", async () => {
    const asked: string[] = [];
    const registry = createServer((request, response) => {
      asked.push(request.url ?? "");
      response.setHeader("content-type", "application/json").end("{}");
    });
    await new Promise<void>((resolve) => registry.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void registry.close());
    const address = registry.address();
    const host = `localhost:${typeof address === "object" ? address?.port : ""}`;
    const argv = ["npm", "ping", "--registry", `http://${host}/`, "--fetch-retries", "0"];
    const script = [
      [call("run_command", { argv }), call("run_command", { argv, hosts: [host] })],
      say("Reached, or not."),
    ];
    const closed = await ran(repository(), script, ["--yes"]);
    expect([closed.results, asked]).toEqual([
      [expect.stringMatching(/^exit code 1\n/), refused(`it reaches ${host}`)],
      [],
    ]);
    const open = await ran(repository(), script, ["--yes", "--allow-network", `a.example,${host}`]);
    expect([open.results, asked]).toEqual([
      [expect.stringMatching(/^exit code 1\n/), expect.stringMatching(/^exit code 0\n/)],
      ["/-/ping"],
    ]);
  });

  test("a package is installed from the one registry that the user lets it reach", async () => {
    const packed = mkdtempSync(join(tmpdir(), "croft-packed-"));
    onTestFinished(() => rmSync(packed, { recursive: true }));
    mkdirSync(join(packed, "package"));
    writeFileSync(join(packed, "package/package.json"), '{"name":"tiny","version":"1.0.0","main":"tiny.js"}');
    writeFileSync(join(packed, "package/tiny.js"), "module.exports = 42;\n");
    execFileSync("tar", ["-czf", "tiny.tgz", "package"], { cwd: packed });
    const registry = createServer(({ url, headers }, response) => {
      const tarball = `http://${headers.host}/tiny.tgz`;
      const versions = { "1.0.0": { name: "tiny", version: "1.0.0", dist: { tarball } } };
      const about = JSON.stringify({ name: "tiny", "dist-tags": { latest: "1.0.0" }, versions });
      response.end(url === "/tiny.tgz" ? readFileSync(join(packed, "tiny.tgz")) : about);
    });
    await new Promise<void>((resolve) => registry.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void registry.close());
    const address = registry.address();
    const host = `localhost:${typeof address === "object" ? address?.port : ""}`;
    const argv = ["npm", "install", "tiny", "--registry", `http://${host}/`, "--no-audit", "--fetch-retries", "0"];
    const use = call("write_file", { path: "use.cjs", content: 'console.log(require("tiny"));\n' });
    const { results } = await ran(
      repository(),
      [call("run_command", { argv, hosts: [host] }), use, command("node", "use.cjs"), say("Installed.")],
      ["--yes", "--allow-network", host, "--no-verify"],
    );
    expect([results[0], results.at(-1)]).toEqual([
      expect.stringMatching(/^exit code 0\n[^]*added 1 package/),
      "exit code 0\n42",
    ]);
  });

  test("a pipeline runs as bash has it; what is left running is ended; what takes too long is, too", async () => {
    const { results } = await ran(
      repository(),
      [
        call("run_shell", { command: "printf 'b\\na\\n' | sort | tr a-z A-Z" }),
        call("run_shell", { command: "sleep 300 & echo started" }),
        call("run_command", { argv: ["sleep", "300"], timeout_seconds: 1 }),
        call("start_process", { argv: ["sleep", "300"], wait_seconds: 0 }),
        say("Done."),
      ],
      ["--yes"],
    );
    expect(results).toEqual([
      "exit code 0\nA\nB",
      expect.stringMatching(/^exit code 0\nstarted/),
      "timed out after 1 s; process tree killed\n(no output)\n(What is meant to go on, such as a server or a watcher, is started with start_process.)",
      "process-1 is running\n(no new output)",
    ]);
  });

  test("Ctrl+C ends the command and the run, which says so", async () => {
    const world = repository();
    const server = await serve([command("sh", "-c", "echo ready; sleep 300"), say("Never.")]);
    const { child, out, ended } = start(world, ["run", "Do it.", "--yes", "--json"], { env: to(server.url) });
    await until(() => out().includes("ready"));
    child.kill("SIGINT");
    const { code } = await ended;
    const events = eventsOf(out());
    expect([code, events.at(-1)?.["status"], server.requests.length]).toEqual([130, "cancelled", 1]);
    expect(events.find(({ type }) => type === "output")).toEqual({
      type: "output",
      id: expect.any(String),
      text: "ready\n",
    });
    expect(execFileSync("ps", ["-eo", "args"], { encoding: "utf8" })).not.toContain(world.project);
  });

  test("files that a command changed are told, must be read again, and are taken back by undo", async () => {
    const world = repository({ ".gitignore": "dist\n" });
    const { results, err } = await ran(
      world,
      [
        call("read_file", { path: "add.js" }),
        call("run_shell", { command: "mkdir dist; echo x | tee dist/out new.txt; echo '// more' >> add.js" }),
        call("edit_file", { path: "add.js", old_string: "a - b", new_string: "a + b" }),
        call("read_file", { path: "add.js" }),
        call("edit_file", { path: "add.js", old_string: "a - b", new_string: "a + b" }),
        say("Done."),
      ],
      ["--yes"],
    );
    expect(results.slice(1)).toEqual([
      "exit code 0\nx\n(Changed meanwhile: add.js, new.txt.)",
      expect.stringMatching(/^add\.js changed since you last read it\. Read it again/),
      expect.stringMatching(/^add\.js: lines 1-2 of 2\n/),
      expect.stringMatching(/^Changed add\.js/),
    ]);
    expect(err).toContain("   Changed meanwhile: add.js, new.txt.\n");
    await croft(world, ["undo"]);
    expect([git(world, "status", "--porcelain", "--ignored"), content(world, "add.js")]).toEqual([
      "!! dist/\n",
      files["add.js"],
    ]);
  });

  test("what appears where no command may write is taken away and told; an approved write there is not", async () => {
    const world = repository();
    const { results } = await ran(
      world,
      [
        call("run_shell", {
          command: "mkdir -p .vscode .croft sub/.claude; echo {} | tee .vscode/tasks.json .croft/config.jsonc",
        }),
        say("Tried."),
      ],
      ["--yes"],
    );
    expect(results[0]).toMatch(/^exit code 0\n\{\}\n/);
    for (const name of [".vscode", ".croft", "sub/.claude"]) {
      expect([name, results[0]?.includes(`"${name}" appeared, which commands may not write`)]).toEqual([name, true]);
      expect(existsSync(join(world.project, name))).toBe(false);
    }
  });

  test("a secret cannot be read by a command, and nothing of croft's own environment", async () => {
    const world = repository({ ".env": "TOKEN=canary-in-a-file\n", ".gitignore": ".env\n" });
    const { results } = await ran(
      world,
      [call("run_shell", { command: "cat .env; env; cat /proc/*/environ | tr '\\0' '\\n'; ls -A ~" }), say("Nothing.")],
      ["--yes"],
      { env: { CANARY: "canary-in-the-environment" } },
    );
    expect(results[0]).toMatch(/^exit code \d/);
    expect(results[0]).not.toMatch(/canary|sk-test/);
  });

  test("a secret in what a command prints reaches neither model nor trace nor screen", async () => {
    const secret = "q7Vb2LxWm9RtZc4K";
    const world = repository({ "settings.ini": `user = app\npassword = ${secret}\n` });
    const script = [call("run_shell", { command: "cat settings.ini; grep -h -i pass *.ini" }), say("Seen.")];
    for (const args of [[], ["--json"]]) {
      const { results, server, out, err } = await ran(world, script, [...args, "--trace", "../t.jsonl"]);
      expect(results[0]).toMatch(/^exit code 0\nuser = app\npassword = \[secret:/);
      const trace = readFileSync(join(world.base, "t.jsonl"), "utf8");
      const told = [JSON.stringify(server.requests.map(({ body }) => body)), out, err, trace];
      expect(told.map((text) => text.includes(secret))).toEqual([false, false, false, false]);
      expect(out + err).toMatch(/1 secret hidden in the result of run_shell/);
    }
  });

  test("the configuration allows, asks about and denies commands", async () => {
    const world = repository({ ".croft/config.jsonc": '{ "commands": { "deny": ["ls"], "allow": ["rm"] } }' });
    mkdirSync(join(world.home, ".config/croft"), { recursive: true });
    writeFileSync(
      join(world.home, ".config/croft/config.jsonc"),
      '{ "commands": { "allow": ["node add.js"], "ask": ["npm test"] } }',
    );
    const { results } = await ran(world, [
      [command("node", "add.js"), command("npm", "test"), command("ls"), command("rm", "add.js")],
      say("So."),
    ]);
    const denied = "This is not allowed: the rules of this project do not allow it. Go on without it, and say so.";
    expect(results).toEqual([
      "exit code 0\n(no output)",
      refused("`npm test`: the rule `npm test` (ask)"),
      denied,
      refused("`rm add.js`: the rule `rm` (ask)"),
    ]);
  });

  test("a run with commands replays without them, event by event", async () => {
    const world = repository();
    const script = [call("run_shell", { command: "echo 1 | cat" }), command("npm", "test"), say("Done.")];
    await ran(world, script, ["--yes", "--trace", "../t.jsonl"]);
    const { code, err } = await croft(world, ["replay", join(world.base, "t.jsonl")]);
    expect([code, err.split("\n").at(-2)]).toEqual([0, expect.stringMatching(/^replay: identical, /)]);
  });

  test("croft tool runs them too, one by one and in a session", async () => {
    const world = repository();
    const one = await croft(world, ["tool", "run_command", '{"argv":["git","status","--short"]}']);
    expect([one.code, one.out, one.err]).toEqual([0, "exit code 0\n(no output)\n", ""]);
    const calls = [
      { name: "start_process", input: { argv: ["sh", "-c", "echo up; sleep 300"], wait_seconds: 1 } },
      { name: "run_shell", input: { command: "echo x > made.txt" } },
      { name: "stop_process", input: { id: "process-1" } },
    ];
    const input = calls.map((each) => JSON.stringify(each)).join("\n");
    const { out } = await croft(world, ["tool", "-", "--yes"], { input });
    const answers = out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).content[0].text);
    expect(answers).toEqual([
      "process-1 is running\nup",
      "exit code 0\n(no output)\n(Changed meanwhile: made.txt.)",
      expect.stringMatching(/^(?:exit code|ended by signal)/),
    ]);
    await croft(world, ["undo"]);
    expect(git(world, "status", "--porcelain")).toBe("");
  });
});

describe.runIf(hasSandbox && hasPty)("on a terminal", () => {
  const onTty = async (world: World, script: readonly ServerReply[]) => {
    const server = await serve(script);
    return { server, terminal: onTerminal(world, ["run", "Do it."], to(server.url)) };
  };
  const hidden = command("node", "-e", "1", "a\rb\u202e", `${" ".repeat(2_000)}tail`);

  test("a command is shown whole, with why it is asked about; y runs it, a reason is told to the model", async () => {
    const { server, terminal } = await onTty(repository({ "x.sh": "echo hello\n" }), [
      hidden,
      command("sh", "x.sh"),
      say("Done."),
    ]);
    await terminal.answer("Run it? [y/N, a for always just this, or say why not] ", "not so fast\n");
    await terminal.answer("Run it? ", "y\n");
    const { shown } = await terminal.ended;
    expect(shown).toContain(String.raw`   $ node -e 1 'a\rb\u{202e}' '${" ".repeat(2_000)}tail'`);
    expect(shown).toMatch(/\n {3}why: `node -e [^\n]+\n/);
    expect(shown).toMatch(/\n {3}with x\.sh as it is now \([0-9a-f]{12}\)\n/);
    expect(resultsOf(server)).toEqual([
      "The user did not allow this: not so fast. Ask what they want instead.",
      "exit code 0\nhello",
    ]);
  });

  test("always means just this command: not asked about again, listed, forgotten", async () => {
    const world = repository();
    const remove = [command("rm", "-f", "gone"), command("rm", "-f", "other"), say("Done.")];
    const first = await onTty(world, remove);
    await first.terminal.answer("Run it? ", "a\n");
    await first.terminal.answer("Run it? ", "n\n");
    await first.terminal.ended;
    const again = await ran(world, remove);
    expect(again.results).toEqual(["exit code 0\n(no output)", refused("`rm -f other`: the rule `rm` (ask)")]);
    const listed = await croft(world, ["policy"]);
    expect(listed.out).toMatch(/^[0-9a-f]{8} {2}rm -f gone\n$/);
    const forgotten = await croft(world, ["policy", "forget", listed.out.slice(0, 8)]);
    expect(forgotten.err).toBe("Forgotten: the next time it is asked about again.\n");
    expect((await ran(world, remove)).results).toEqual([
      refused("`rm -f gone`: the rule `rm` (ask)"),
      refused("`rm -f other`: the rule `rm` (ask)"),
    ]);
    expect(git(world, "status", "--porcelain")).toBe("");
  });
});

describe.runIf(process.platform === "linux")("without a sandbox", () => {
  /** A PATH with what these tests need, and no bubblewrap. */
  function pathWithout(world: World): string {
    const folder = join(world.base, "bin");
    mkdirSync(folder);
    for (const name of ["sh", "mkfifo", "ls", "git"]) {
      symlinkSync(execFileSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).trim(), join(folder, name));
    }
    return folder;
  }

  test("that is told with the remedy, there is no shell, and every command is a question, with --yes too", async () => {
    const world = repository();
    const PATH = pathWithout(world);
    const { results, err, server } = await ran(
      world,
      [[command("ls"), call("run_shell", { command: "ls" })], say("So.")],
      ["--yes"],
      { env: { PATH } },
    );
    expect(results).toEqual([refused("there is no sandbox"), expect.stringMatching(/^There is no tool "run_shell"/)]);
    expect(err).toContain(
      "Commands run without a sandbox, so each is a question: bubblewrap is not installed. Install it: ",
    );
    expect(server.requests[0]?.body.tools?.map(({ name }) => name)).not.toContain("run_shell");
  });

  test("croft tool tells it with the first command, and of no other call", async () => {
    const world = repository();
    const PATH = pathWithout(world);
    const listed = await croft(world, ["tool"], { env: { PATH } });
    const one = await croft(world, ["tool", "run_command", '{"argv":["ls"]}', "--yes"], { env: { PATH } });
    expect([listed.err, one.code, one.out]).toEqual(["", 1, `${refused("there is no sandbox")}\n`]);
    expect(one.err).toMatch(/^Commands run without a sandbox, so each is a question: [^\n]+\n$/);
  });

  test("who insists gets them without one, by the same rules, and is told", async () => {
    const world = repository();
    const { results, err } = await ran(
      world,
      [[command("ls"), command("sh", "-c", "ls"), command("rm", "add.js")], say("So.")],
      ["--yes", "--dangerously-no-sandbox"],
    );
    const listing = "exit code 0\nadd.js\nadd.test.js\npackage.json";
    expect(results).toEqual([listing, listing, refused("`rm add.js`: the rule `rm` (ask)")]);
    expect(err).toContain("Commands run without a sandbox, as you asked: they can read and change all that you can.\n");
  });
});

test("a host that is none is a mistake in usage", async () => {
  const { code, err } = await croft(makeWorld(), ["run", "Do it.", "--allow-network", "http://a/"]);
  expect([code, err]).toEqual([2, expect.stringMatching(/^croft: .* \(E_ARGUMENTS\)\n$/)]);
});
