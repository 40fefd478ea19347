import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { call, reply, say, type MessagesServer, type ServerReply } from "@croft/harness/testing";
import { needs } from "../support/needs.ts";
import { bin, makeWorld, type World } from "./croft.ts";
import { onScreen, type OnScreen, type Where } from "./on-screen.ts";
import { key, serve } from "./server.ts";

const linux = process.platform === "linux";
const enclosed = test.runIf(linux && needs("bwrap"));
const files = {
  "add.js": "export const add = (a, b) => a - b;\n",
  "slow.js": "console.log('first line');\nsetTimeout(() => console.log('the last'), 1500);\n",
  "AGENTS.md": "Indent by two.\n",
};

type Talk = { world: World; server: MessagesServer; screen: OnScreen };

/** A session on a real terminal, with a model that says this. */
async function talkWith(script: readonly ServerReply[], where: Where = {}, ...args: string[]): Promise<Talk> {
  const world = makeWorld(files);
  execFileSync("git", ["init", "-q"], { cwd: world.project });
  const server = await serve(script);
  const env = { ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: server.url, NO_COLOR: "1", ...where.env };
  const screen = onScreen(world, ["--no-verify", ...args], { ...where, env });
  await screen.sees("\n›");
  return { world, server, screen };
}

test.runIf(linux).each([
  [80, 24],
  [200, 50],
])(
  "an answer that streams is resized in its middle from %d columns, %d rows: nothing is lost or left behind",
  async (columns, rows) => {
    const words = "日本語 wraps between its letters, an emoji 👩‍👩‍👧 and a flag 🇯🇵 stay whole, as does é, while ".repeat(4);
    const answer = `First paragraph.\n\n${words}it streams.\n\nLast paragraph.`;
    const { screen } = await talkWith([reply(say(answer), { paceMs: 150 })], { columns, rows });
    await screen.types("Tell", "\r");
    await screen.sees("between its letters");
    for (const to of [44, columns, 60]) await screen.resize(to, rows);
    await screen.sees("done: 1 step");
    const all = await screen.all();
    expect(all.split("\n").filter((line) => line.startsWith("› "))).toEqual(["› Tell"]);
    expect(bare(all.slice(all.indexOf("•"), all.indexOf("done: 1 step")))).toBe(bare(`•${answer}`));
  },
);

/** Text whatever its rows are. */
function bare(text: string): string {
  return text.replaceAll(/\s+/gu, "");
}

test.runIf(linux)(
  "the banner tells project, model, mode and sandbox; code is coloured on a terminal that has colours",
  async () => {
    const { screen } = await talkWith([say("So:\n\n```js\nreturn 1;\n```\n")], { env: { NO_COLOR: "" } }, "--yes");
    const banner = await screen.sees("Ctrl+C twice leaves.");
    expect(banner).toMatch(/^ {2}\S*\/project with anthropic\/claude-opus-5-5\n/);
    expect(bare(banner)).toContain(
      bare("mode yes: ordinary changes and commands in the sandbox are not asked about; commands run"),
    );
    await screen.types("How?", "\r");
    await screen.sees("done: 1 step");
    expect(screen.bytes()).toMatch(/\u001b\[[0-9;]*m\s*return\u001b\[/);
  },
);

enclosed(
  "a list of work is a checklist, a command is watched while it runs, a call unfolds, and an entry is found again",
  async () => {
    const items = [
      { text: "look", state: "done" },
      { text: "change", state: "doing" },
      { text: "tell", state: "pending" },
    ];
    const { screen } = await talkWith(
      [call("todo", { items }), call("run_command", { argv: ["node", "slow.js"] }), say("Done.")],
      {},
      "--yes",
    );
    await screen.types("Work through it", "\r");
    await screen.sees("[x] look\n");
    expect(await screen.shown()).toMatch(/\[x\] look\n *\[>\] change\n *\[ \] tell\n/);
    expect(await screen.sees("first line")).not.toContain("the last");
    await screen.sees("• Done.");
    await screen.types("\u000f");
    expect(await screen.sees("▾ run_command")).toMatch(/exit code 0\n *first line\n *the last/);
    await screen.types("\u0012", "thr");
    await screen.sees("search: thr");
    await screen.types("\r");
    await screen.sees("sandbox\n› Work through it");
  },
);

test.runIf(linux)("what a turn changed is undone and made again, and the mode is changed, with commands", async () => {
  const { world, screen } = await talkWith(
    [
      call("read_file", { path: "add.js" }),
      call("edit_file", { path: "add.js", old_string: "a - b", new_string: "a + b" }),
      say("It adds."),
    ],
    {},
    "--yes",
  );
  const content = (): string => readFileSync(join(world.project, "add.js"), "utf8");
  await screen.types("Make it add", "\r");
  await screen.sees("• It adds.");
  await screen.types("/undo ", "\r");
  await screen.sees("Undone turn 1");
  expect(content()).toContain("a - b");
  await screen.types("/redo ", "\r");
  await screen.sees("Redone turn 1");
  expect(content()).toContain("a + b");
  await screen.types("/mode plan", "\r");
  expect(await screen.sees("> plan: nothing is changed")).toContain("  plan · ");
});

test.runIf(linux)(
  "a memory file that changes is told to the model, behind a prefix that stays what it was",
  async () => {
    const { world, server, screen } = await talkWith([say("One."), say("Two.")]);
    await screen.types("Begin", "\r");
    await screen.sees("• One.");
    writeFileSync(join(world.project, "AGENTS.md"), "Indent by four.\n");
    await screen.types("Go on", "\r");
    await screen.sees("• Two.");
    const [first, second] = server.requests.map(({ body }) => body);
    expect(JSON.stringify(first?.system)).toContain("Indent by two.");
    expect([second?.system, second?.tools]).toEqual([first?.system, first?.tools]);
    expect(JSON.stringify(second?.messages.at(-1))).toContain("Indent by four.");
  },
);

test.runIf(linux)(
  "with stdout in a file the conversation is in plain lines, and the file has the answers alone",
  async () => {
    const world = makeWorld(files);
    const program = ["sh", "-c", 'exec "$0" "$@" > answers.txt', process.execPath, bin] as const;
    const screen = onScreen(world, ["--model", "offline"], { program });
    await screen.sees("\n>");
    await screen.types("Where is add defined?\r");
    await screen.sees("done: ");
    await screen.types("/exit\r");
    expect(await screen.ended).toEqual({ code: 0, signal: 0 });
    const answers = readFileSync(join(world.project, "answers.txt"), "utf8");
    expect(answers).toMatch(/^`add` is defined at add\.js:1 /);
    expect(answers).not.toMatch(/\u001b|done: /);
  },
);
