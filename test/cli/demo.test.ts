import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { needs } from "../support/needs.ts";
import { croft, makeWorld, start, until, type World } from "./croft.ts";

const enclosed = test.runIf(process.platform === "linux" && needs("bwrap"));
const asRoot = process.getuid?.() === 0;

/** A world with a folder for temporary files, in which nothing else is. */
function place(): { world: World; temporary: string; env: Record<string, string> } {
  const world = makeWorld();
  const temporary = join(world.base, "temporary");
  mkdirSync(temporary);
  chmodSync(world.base, 0o777);
  chmodSync(temporary, 0o777);
  return { world, temporary, env: { TMPDIR: temporary } };
}

/** Those of the pieces that do not stand in the text in this order. */
function missingIn(text: string, pieces: readonly string[]): string[] {
  let at = 0;
  return pieces.filter((piece) => {
    const found = text.indexOf(piece, at);
    if (found !== -1) at = found + piece.length;
    return found === -1;
  });
}

const story = [
  "This is a demo: the model is a script.",
  "-> read_file",
  "-> run_command",
  "exit 1",
  "-> edit_file",
  "The model says: Done",
  "Verifying with",
  "check verify failed",
  "-> edit_file",
  "The model says: `total`",
  "Verifying with",
  "verified: ",
  "done: 5 steps, 1 file changed, verified, 0 tokens, $0.0000",
  "commands      3, in the sandbox: no network, no home folder, nothing outside the project can be written",
  "verification  The tests failed, and the model was told so, whatever it had said. Then the tests passed.",
  "cost          $0.0000: a script costs nothing (5 requests)",
  "undo          src/cart.js is what it was, byte for byte:",
  "-  return items.reduce((all, item) => all + item.price * item.quantity, 0);",
  "+  return items.reduce((all, item) => all + item.price, 0);",
  "trace",
  "The model was a script.",
];

describe("the demo", () => {
  enclosed(
    "is a whole run: a wrong change, a claim, the check, the right change, the undo; nothing is left",
    async () => {
      const { world, temporary, env } = place();
      const { code, out, err } = await croft(world, ["demo"], { env });
      expect([code, out]).toEqual([0, expect.stringMatching(/^`total` multiplies each price .*\n$/)]);
      expect(missingIn(err, story)).toEqual([]);
      expect(readdirSync(temporary)).toEqual([]);
    },
  );

  enclosed("leaves its folder and a trace that can be replayed where it is asked to", async () => {
    const { world, temporary, env } = place();
    const { code, err } = await croft(world, ["demo", "--keep"], { env });
    expect(code).toBe(0);
    const [, folder = "", trace = ""] = /^ {2}folder +(\S+)\n {2}trace +(\S+): /m.exec(err) ?? [];
    expect(readdirSync(temporary)).toEqual([folder.slice(temporary.length + 1)]);
    expect(statSync(folder).mode & 0o077).toBe(0);
    expect(readFileSync(join(folder, "project/src/cart.js"), "utf8")).toContain("all + item.price, 0");
    expect((await croft(world, ["replay", trace])).code).toBe(0);
  });

  enclosed("ends with Ctrl+C, and leaves nothing behind", async () => {
    const { world, temporary, env } = place();
    const { child, ended } = start(world, ["demo"], { env });
    let shown = "";
    child.stderr?.on("data", (chunk) => (shown += chunk));
    await until(() => shown.includes("-> run_command"));
    child.kill("SIGINT");
    expect((await ended).code).toBe(130);
    expect(readdirSync(temporary)).toEqual([]);
  });

  test.runIf(process.platform === "linux")("works without a sandbox and without git, and says so", async () => {
    const { world, temporary, env } = place();
    const PATH = join(world.base, "bin");
    mkdirSync(PATH);
    for (const name of ["sh", "bash", "mkfifo"]) {
      symlinkSync(execFileSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).trim(), join(PATH, name));
    }
    const { code, err } = await croft(world, ["demo"], { env: { ...env, PATH, HOME: undefined } });
    expect(code).toBe(0);
    expect(err).toContain("Commands run without a sandbox, so each is a question: bubblewrap is not installed.");
    expect(err).toContain(
      "  commands      3, without a sandbox: there is none here, and croft would have asked you first",
    );
    expect(err).toContain("Then the tests passed.");
    expect(readdirSync(temporary)).toEqual([]);
  });

  test.runIf(asRoot)("works for an ordinary user without a home", async () => {
    const { world, temporary, env } = place();
    const { code, err } = await croft(world, ["demo"], { env: { ...env, HOME: "/nonexistent" }, uid: 65534 });
    expect([code, err]).toEqual([0, expect.stringContaining("Then the tests passed.")]);
    expect(readdirSync(temporary)).toEqual([]);
  });
});

test("it takes no task", async () => {
  const { code, err } = await croft(makeWorld(), ["demo", "Do it."]);
  expect([code, err]).toEqual([2, "croft: The demo has a task of its own. Usage: croft demo (E_ARGUMENTS)\n"]);
});

test("without a folder for temporary files the demo says what it needs", async () => {
  const { world, env } = place();
  const { code, out, err } = await croft(world, ["demo"], { env: { TMPDIR: `${env["TMPDIR"]}/gone` } });
  expect([code, out]).toEqual([2, ""]);
  expect(err).toMatch(/^croft: The demo needs a folder for temporary files: .*TMPDIR.* \(E_NO_FOLDER\)\n$/);
});
