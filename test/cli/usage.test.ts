import { chmodSync, readdirSync, writeFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bin, croft, makeWorld, start, type Ended } from "./croft.ts";

const nobody = 65534;
const asRoot = process.getuid?.() === 0;

/** What a mistake must look like: exit 2, nothing on stdout, words for a person on stderr, no stack. */
function mistake(ended: Ended): string {
  expect(ended).toEqual({ code: 2, signal: null, out: "", err: expect.any(String) });
  expect(ended.err).not.toMatch(/^\s+at /m);
  return ended.err;
}

test("with an unknown command it tells what is meant, or what there is", async () => {
  const world = makeWorld();
  expect(mistake(await croft(world, ["tol"]))).toBe(
    'croft: There is no command "tol". Did you mean croft tool? All of them: croft help. (E_NO_COMMAND)\n',
  );
  expect(mistake(await croft(world, ["commit"]))).toBe(
    'croft: There is no command "commit". The commands: chat, ask, run, sessions, resume, export, fork, undo, redo, replay, trace, tool, policy, config, completion, demo, doctor, help. (E_NO_COMMAND)\n',
  );
});

test.each([
  ["croft help ask", ["help", "ask"]],
  ["croft ask --help", ["ask", "what?", "--help"]],
  ["croft tool -h", ["tool", "-h"]],
])("%s tells the options of the command", async (_, args) => {
  const { code, out, err } = await croft(makeWorld(), args);
  expect([code, err]).toEqual([0, ""]);
  expect(out).toMatch(/^croft (ask|tool) [^]*-C, --dir <dir>/);
});

test.each([[["help"]], [["help", "help"]], [["help", "--help"]], [["--help"]]])(
  "%j is all of the help",
  async (args) => {
    const { code, out, err } = await croft(makeWorld(), args);
    expect([code, out.split("\n")[0], err]).toEqual([
      0,
      "croft: a coding agent for the terminal that shows its evidence and stays inside its fence.",
      "",
    ]);
  },
);

const bad: readonly (readonly [string, readonly string[], string])[] = [
  [
    "no question",
    ["ask"],
    'There is no question. Usage: croft ask [dir] "<question>", for example croft ask "Where is main defined?" (E_NO_QUESTION)',
  ],
  ["a folder and no question", ["ask", "."], "(E_NO_QUESTION)"],
  ["a blank question", ["ask", "  "], "(E_NO_QUESTION)"],
  ["a check that is no command", ["run", "--verify", " ", "do it"], "--verify has no command. Name one: --verify"],
  ["a missing folder", ["ask", "gone", "what is it?"], "/project/gone. Name a project folder"],
  ["a file instead of a folder", ["ask", "-C", "file", "what?"], "/project/file is not a folder."],
  ["an empty name of a folder", ["ask", "", "what is it?"], "The name of the folder is empty."],
  ["the root of the file system", ["ask", "/", "what?"], "/ is the root of the file system, not a project."],
  ["the home folder", ["ask", "../home", "what?"], "/home is your home folder, not a project."],
  ["a folder or a word", ["ask", "src", "holds", "what"], 'croft ask src "holds what"'],
  [
    "an unknown model",
    ["ask", "--model", "gpt", "what?"],
    'There is no model "gpt". Models: anthropic/<model>, openai/<model>, ollama/<model>, offline.',
  ],
  [
    "a model without its key",
    ["ask", "--model", "anthropic/x", "what?"],
    "Set ANTHROPIC_API_KEY, or use --model offline.",
  ],
  [
    "a trace that cannot be written",
    ["ask", "--trace", "gone/t.jsonl", "what?"],
    "The trace cannot be written: ENOENT",
  ],
  ["a tool's input that is not JSON", ["tool", "read_file", "{path}"], "The input is not JSON"],
];

test.each(bad)(
  "%s is a mistake, said in one line, and nothing is left behind but compiled code",
  async (_, args, words) => {
    const world = makeWorld({ file: "", "src/a.ts": "" });
    const err = mistake(await croft(world, args));
    expect(err).toMatch(/^croft: .*\n$/);
    expect(err).toContain(words);
    const left = readdirSync(world.home, { recursive: true }).filter((path) => !String(path).startsWith(".cache"));
    expect([left, readdirSync(world.project).sort()]).toEqual([[], ["file", "src"]]);
  },
);

test("an escape sequence in what was typed is shown, not obeyed", async () => {
  const { err } = await croft(makeWorld(), ["ask", "./\u001b[2J\u202e", "what is it?"]);
  expect(err).toContain("/project/\\x1b[2J\\u{202e}.");
  const option = await croft(makeWorld(), ["ask", "--\u001b[2J"]);
  expect(option.err).toContain("Unknown option '--\\x1b[2J'");
});

test("a current folder that is gone is told", async () => {
  const world = makeWorld();
  const script = join(world.base, "leave.sh");
  writeFileSync(script, 'mkdir "$1/gone" && cd "$1/gone" && rmdir "$1/gone" && exec "$2" "$3" ask what?\n');
  const { status, stdout, stderr } = spawnSync("sh", [script, world.base, process.execPath, bin], { encoding: "utf8" });
  expect([status, stdout, stderr]).toEqual([
    2,
    "",
    "croft: The current folder is gone. Change to one that exists. (E_NO_FOLDER)\n",
  ]);
});

test.runIf(asRoot)("an unreadable folder is told", async () => {
  const world = makeWorld({ "closed/a.ts": "" });
  chmodSync(world.base, 0o755);
  chmodSync(join(world.project, "closed"), 0o700);
  expect(mistake(await croft(world, ["ask", "closed", "what is it?"], { uid: nobody }))).toContain(
    "/project/closed cannot be read (EACCES).",
  );
});

test("an open stdin that stays silent is not waited for without end", async () => {
  const { child, ended } = start(makeWorld(), ["ask"], { stdio: ["pipe", "pipe", "pipe"] });
  expect(mistake(await ended)).toContain("E_NO_QUESTION");
  child.stdin?.destroy();
});
