import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { needs } from "../../../../test/support/needs.ts";
import type { Action } from "../gate/action.ts";
import { codeGate } from "../gate/code.ts";
import { strictGate } from "../gate/rules.ts";
import { openArtifactTools, type ArtifactDoorOptions } from "./artifact-tools.ts";
import { commandsBelow } from "./commands.testing.ts";

const enclosed = test.runIf(process.platform === "linux" && needs("bwrap"));

type Rig = { root: string; call: (name: string, input: object) => Promise<string> };

/** With programs, which run in the sandbox. */
async function rig(options: Partial<ArtifactDoorOptions> = {}): Promise<Rig> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "croft-artifact-commands-")));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const root = join(base, "project");
  mkdirSync(join(root, "out"), { recursive: true, mode: 0o700 });
  writeFileSync(join(root, "a.txt"), "a\n");
  const doors = await openArtifactTools({
    root,
    gate: codeGate({ yes: true }),
    commands: commandsBelow(base, process.env["PATH"]),
    ...options,
  });
  onTestFinished(() => doors.close());
  return {
    root,
    async call(name, input) {
      const { content } = await doors.call(name, input, new AbortController().signal);
      return content.map((block) => (block.type === "text" ? block.text : "")).join("\n");
    },
  };
}

enclosed("the long output of a program is asked by the same calls as a file", async () => {
  const { call } = await rig();
  const answer = await call("run_command", { argv: ["seq", "100000"] });
  const [, id] =
    /is kept: query it with artifact_grep or artifact_cat, artifact_id (output-\S+)\.\)$/.exec(answer) ?? [];
  expect(await call("artifact_grep", { artifact_id: id, pattern: "^7777$" })).toBe("7777:\t7777");
  expect(await call("artifact_cat", { artifact_id: id, start: 50_000, end: 50_001 })).toBe(
    `${id}: lines 50000 to 50001\n50000\t50000\n50001\t50001`,
  );
  expect(await call("read_output", { id })).toMatch(/^There is no tool "read_output"/);
});

enclosed("the folder that may be written holds for programs too", async () => {
  const { root, call } = await rig({ writeRoot: "out" });
  expect(await call("run_command", { argv: ["touch", "out/x"] })).toMatch(/^exit code 0/);
  expect(await call("run_command", { argv: ["touch", "y"] })).toMatch(/^exit code 1\n.*Read-only file system/);
  expect(await call("run_shell", { command: "echo b > a.txt" })).toMatch(/Read-only file system/);
  expect(["out/x", "y"].map((name) => existsSync(join(root, name)))).toEqual([true, false]);
});

enclosed("what is staged is not what programs see, before it is saved", async () => {
  const { call } = await rig();
  const id = (await call("stage_file", { path: "a.txt" })).slice(0, 7);
  const changed = (await call("apply_patch", { media_id: id, patch: { find: "a", replace: "b" } })).slice(0, 7);
  expect(await call("run_command", { argv: ["cat", "a.txt"] })).toBe("exit code 0\na");
  await call("save_media", { media_id: changed, path: "a.txt" });
  expect(await call("run_command", { argv: ["cat", "a.txt"] })).toBe("exit code 0\nb");
});

test("failures of programs have codes of this toolset too", async () => {
  const { call } = await rig({ gate: codeGate({ yes: false }) });
  expect(await call("run_command", { argv: ["rm", "a.txt"] })).toMatch(
    /^\[E_SANDBOX_REFUSED, refused\] This is not allowed/,
  );
});

/** A strict gate: what it was asked about programs, and its answer to each. */
function asked(
  answer: (action: Action & { kind: "run" }) => boolean,
): Partial<ArtifactDoorOptions> & { seen: string[] } {
  const seen: string[] = [];
  const gate = strictGate(async (action) => {
    if (action.kind === "read") seen.push(`read ${action.asked}`);
    if (action.kind !== "run") return { allowed: true };
    seen.push([action.cwd, ...action.programs.map(({ path }) => path)].join(" "));
    return { allowed: answer(action) };
  });
  return { trust: "strict", gate, seen };
}

enclosed("in strict trust a command is a question before its folder and its files are looked up", async () => {
  const no = asked(() => false);
  const refused = await rig(no);
  const words = "[E_SANDBOX_REFUSED, refused] The user did not allow this. Ask what they want instead.";
  for (const cwd of ["gone", ".git", "..", "out"]) {
    expect(await refused.call("run_command", { argv: ["cat", "a.txt"], cwd })).toBe(words);
    expect(await refused.call("start_process", { argv: ["sleep", "9"], cwd })).toBe(words);
  }
  const yes = asked(() => true);
  const { call } = await rig(yes);
  const gone = "[E_SANDBOX_REFUSED, refused] This path is not available. Go on without it, and say so.";
  for (const cwd of ["gone", "a.txt", ".."]) expect(await call("run_command", { argv: ["ls"], cwd })).toBe(gone);
  yes.seen.length = 0;
  expect(await call("run_command", { argv: ["ls"], cwd: "./out" })).toMatch(/^exit code 0/);
  expect(await call("run_command", { argv: ["cat", "a.txt"] })).toBe("exit code 0\na");
  expect(await call("read_process", {})).toBe("No process has been started.");
  expect(await call("stop_process", { id: "process-1" })).toMatch(/NO_PROCESS/);
  expect(yes.seen).toEqual(["./out", ".", ". a.txt", "read read_process", "read stop_process"]);
});
