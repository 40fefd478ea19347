import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { needs } from "../../../../test/support/needs.ts";
import { codeGate } from "../gate/code.ts";
import { openArtifactTools, type ArtifactDoorOptions } from "./artifact-tools.ts";

const enclosed = test.runIf(process.platform === "linux" && needs("bwrap"));

type Rig = { root: string; call: (name: string, input: object) => Promise<string> };

/** With programs, which run in the sandbox. */
async function rig(options: Partial<ArtifactDoorOptions> = {}): Promise<Rig> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "croft-artifact-commands-")));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  for (const folder of ["project/out", "home", "outputs"])
    mkdirSync(join(base, folder), { recursive: true, mode: 0o700 });
  const root = join(base, "project");
  writeFileSync(join(root, "a.txt"), "a\n");
  const place = (name: string): string => join(base, name);
  const doors = await openArtifactTools({
    root,
    gate: codeGate({ yes: true }),
    commands: {
      user: { PATH: process.env["PATH"], HOME: place("home") },
      home: place("home"),
      cache: place("cache"),
      quarantine: place("kept"),
      outputs: place("outputs"),
      sandbox: true,
    },
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
