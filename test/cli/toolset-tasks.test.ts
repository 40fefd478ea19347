/** Whole tasks with the other toolsets: what is not saved, what is verified, what is undone, what goes on. */

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { call, say, type MessagesRequest, type ServerReply, type ServerScript } from "@croft/harness/testing";
import { expect, test } from "vitest";
import { needs } from "../support/needs.ts";
import { croft, eventsOf, makeWorld, type Ended, type World } from "./croft.ts";
import { key, serve } from "./server.ts";

const enclosed = test.runIf(process.platform === "linux" && needs("bwrap"));

const files = {
  "package.json": '{ "type": "module", "scripts": { "test": "node check.js" } }\n',
  "add.js": "export const add = (a, b) => a + b;\n",
  "check.js": 'import { add } from "./add.js";\nif (add(2, 2) !== 4) throw new Error("not 4");\n',
};

/** A repository, and croft in it with a model that follows a script. */
async function place(script: ServerScript): Promise<{
  world: World;
  run: (...args: string[]) => Promise<Ended>;
  git: (...args: string[]) => string;
  text: (path: string) => string;
}> {
  const world = makeWorld(files);
  const git = (...args: string[]): string => execFileSync("git", args, { cwd: world.project, encoding: "utf8" });
  git("init", "-q");
  git("add", ".");
  git("-c", "user.name=T", "-c", "user.email=t@example.com", "commit", "-qm", "start");
  const server = await serve(script);
  const env = { ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: server.url };
  return {
    world,
    git,
    run: (...args) => croft(world, args, { env }),
    text: (path) => readFileSync(join(world.project, path), "utf8"),
  };
}

/** The newest id of a staged copy that the model was told. */
function newest({ messages }: Pick<MessagesRequest, "messages">): string {
  return /.*"(m\d+-[0-9a-f]{4}): /s.exec(JSON.stringify(messages))?.[1] ?? "none";
}

const replace =
  (find: string, by: string) =>
  (request: MessagesRequest): ServerReply =>
    call("apply_patch", { media_id: newest(request), patch: { find, replace: by } });
const save =
  (path: string) =>
  (request: MessagesRequest): ServerReply =>
    call("save_media", { media_id: newest(request), path });
const stage = (path: string): ServerReply => call("stage_file", { path });

/** Steps that may look at what was said before. */
function steps(...all: (ServerReply | ((request: MessagesRequest) => ServerReply))[]): ServerScript {
  return (request, n) => {
    const step = all[n - 1] ?? say("There is nothing more to say.");
    return typeof step === "function" ? step(request) : step;
  };
}

/** What people are told at the end: from the first line that matches on. */
function told({ err }: Ended, ...patterns: RegExp[]): string[] {
  return err.split("\n").filter((line) => patterns.some((pattern) => pattern.test(line)));
}

enclosed("patched and not saved, the project is as it was, and the end says so", async () => {
  const script = steps(stage("add.js"), replace("a + b", "b + a"), say("Done."), say("I leave it."));
  const { run, git, text } = await place(script);
  const ended = await run("run", "--yes", "--tools", "artifact", "Turn it round.");
  expect([ended.code, git("status", "--porcelain"), text("add.js")]).toEqual([0, "", files["add.js"]]);
  expect(told(ended, /[Nn]ot saved|^done/)).toEqual([
    expect.stringMatching(/^ {3}ok m2-\w+: add\.js \(\+1 -1\)\. It is not saved yet: save_media writes it\./),
    expect.stringMatching(
      /^ {3}check unsaved failed: Not saved, and so in no file of the project: m2-\w+ \(add\.js\)\. Save/,
    ),
    expect.stringMatching(/^Staged and not saved: m2-\w+ \(add\.js\)$/),
    expect.stringMatching(/^done: 4 steps, unverified, /),
  ]);
});

const verifying = "Verifying with `npm test` (scripts.test in package.json).";

enclosed("what is saved is verified, undone, and no way to weaken the test that fails then", async () => {
  const script = steps(
    stage("add.js"),
    replace("a + b", "a - b"),
    save("add.js"),
    say("Done."),
    stage("check.js"),
    replace("!== 4", "!== 0"),
    save("check.js"),
    say("Now it passes."),
  );
  const { run, git, text } = await place(script);
  const ended = await run("run", "--yes", "--tools", "artifact", "Make add better.");
  expect([ended.code, git("status", "--porcelain"), text("check.js")]).toEqual([17, " M add.js\n", files["check.js"]]);
  expect(told(ended, /^Verifying|REFUSED|^check_failed|^Staged/)).toEqual([
    verifying,
    expect.stringContaining("needs a person's approval (says how the project is checked, while that fails)"),
    verifying,
    expect.stringMatching(/^Staged and not saved: m4-\w+ \(check\.js\)$/),
    expect.stringMatching(/^check_failed: 8 steps, 1 file changed, check failed, /),
  ]);
  expect((await run("undo")).code).toBe(0);
  expect(git("status", "--porcelain")).toBe("");
});

enclosed("what is saved only when the model is reminded of it is verified too", async () => {
  const script = steps(stage("add.js"), replace("a + b", "b + a"), say("Done."), save("add.js"), say("Saved."));
  const { run, text } = await place(script);
  const ended = await run("run", "--yes", "--tools", "artifact", "Turn it round.");
  expect([ended.code, text("add.js")]).toEqual([0, "export const add = (a, b) => b + a;\n"]);
  expect(told(ended, /^Verifying|verified|check unsaved/)).toEqual([
    "   unverified: nothing changed, so there was nothing to verify",
    expect.stringContaining("check unsaved failed"),
    verifying,
    "   verified: `npm test` passed",
    expect.stringMatching(/^done: 5 steps, 1 file changed, verified, /),
  ]);
});

enclosed("what a shell that stays changes is verified, undone, and no test is weakened by it", async () => {
  const script = steps(
    call("bash", { command: "cd .; sed -i 's/a + b/a - b/' add.js" }),
    say("Done."),
    call("bash", { command: "sed -i 's/!== 4/!== 0/' check.js" }),
    say("Now it passes."),
  );
  const { run, git } = await place(script);
  const ended = await run("run", "--yes", "--tools", "anthropic", "Make add better.");
  expect(ended.code).toBe(17);
  expect(told(ended, /^Verifying|check\.js was|^check_failed/)).toEqual([
    verifying,
    expect.stringContaining("check.js was changed while `npm test` failed"),
    expect.stringMatching(/^check_failed: 4 steps, /),
  ]);
  expect((await run("undo")).code).toBe(0);
  expect(git("status", "--porcelain")).toBe("");
});

enclosed("an editor's change is verified, and one of the failing test refused", async () => {
  const editor = (path: string, old_str: string, new_str: string): ServerReply => [
    call("str_replace_based_edit_tool", { command: "view", path }),
    call("str_replace_based_edit_tool", { command: "str_replace", path, old_str, new_str }),
  ];
  const script = steps(
    editor("add.js", "a + b", "a - b"),
    say("Done."),
    editor("check.js", "!== 4", "!== 0"),
    say("No."),
    editor("add.js", "a - b", "b + a"),
    say("Done."),
  );
  const { run, git } = await place(script);
  const ended = await run("run", "--yes", "--tools", "anthropic", "Make add better.");
  expect([ended.code, git("status", "--porcelain")]).toEqual([17, " M add.js\n"]);
  expect(told(ended, /says how the project/)).toHaveLength(1);
});

enclosed(
  "ids and copies end with the process: a session that goes on, or is forked, says so, and is replayed",
  async () => {
    let [opened, staged] = ["", ""];
    const look = ({ messages }: MessagesRequest): ServerReply => {
      opened = /"(a1-[0-9a-f]{4}): /.exec(JSON.stringify(messages))?.[1] ?? "none";
      staged = newest({ messages });
      return call("artifact_head", { artifact_id: opened, lines: 1 });
    };
    const again: (() => ServerReply)[] = [
      () => [
        call("artifact_head", { artifact_id: opened }),
        call("apply_patch", { media_id: staged, patch: { find: "a", replace: "b" } }),
        call("save_media", { media_id: staged, path: "add.js" }),
      ],
      () => say("They are gone."),
    ];
    const script = steps(
      call("open_file", { path: "add.js" }),
      stage("add.js"),
      look,
      say("It adds: add.js:1."),
      ...again,
      ...again,
    );
    const { run, git } = await place(script);
    expect((await run("run", "--yes", "--tools", "artifact", "What does it do?")).code).toBe(0);
    const gone = [
      expect.stringMatching(/ERROR \[E_SANDBOX_NO_ARTIFACT, not-found\] "a1-\w+" is not open, or no longer/),
      expect.stringMatching(/ERROR \[E_SANDBOX_NO_MEDIA, not-found\] There is no staged copy "m1-\w+"/),
      expect.stringMatching(/ERROR \[E_SANDBOX_NO_MEDIA, not-found\] There is no staged copy "m1-\w+"/),
    ];
    expect(told(await run("resume", "--yes", "And now?"), /ERROR/)).toEqual(gone);
    const [session] = eventsOf((await run("sessions", "--json")).out);
    const forked = await run("fork", String(session?.["id"]));
    expect(forked.code).toBe(0);
    expect(told(await run("resume", forked.out.trim(), "--yes", "And here?"), /ERROR/)).toEqual(gone);
    const replayed = await run("replay", String(session?.["file"]));
    expect([replayed.code, told(replayed, /^replay/)]).toEqual([0, [expect.stringContaining("replay: identical")]]);
    expect(git("status", "--porcelain")).toBe("");
  },
);
