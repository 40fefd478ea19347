/** A runner on a temporary folder, for tests: everything is allowed and nothing encloses it. */

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { Failure } from "../../error.ts";
import { createRunner } from "../create-runner.ts";
import { commandEnvironment } from "../environment.ts";
import type { Ended, Runner } from "../runner.ts";
import type { CommandParts } from "../start-command.ts";

export type Bench = {
  /** The project. */
  root: string;
  runner: Runner;
  /** Runs bash on a script, for 30 s at most unless told. */
  bash(script: string, timeoutMs?: number, signal?: AbortSignal): Promise<Ended>;
  run(argv: readonly string[], cwd?: string): Promise<Ended>;
  /** Ends what runs and removes the folders. */
  remove(): Promise<void>;
};

const never = new AbortController().signal;

export function openBench(parts: Partial<CommandParts> = {}): Bench {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "croft-runner-")));
  const root = join(base, "project");
  const folder = join(base, "state");
  for (const path of [root, folder]) mkdirSync(path, { mode: 0o700 });
  const runner = createRunner({
    gate: async () => ({ allowed: true, by: "rule" }),
    policy: { judge: () => ({ decision: "unlisted", rule: "test", profile: "plain" }) },
    enter(asked) {
      const directory = join(root, asked);
      if (!existsSync(directory)) throw new Failure("E_NOT_FOUND", `${asked} does not lead to a folder.`);
      return { path: relative(root, directory) || ".", directory, [Symbol.dispose]: () => undefined };
    },
    async fileAt(path) {
      const file = join(root, path);
      if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return undefined;
      return { path, hash: createHash("sha256").update(readFileSync(file)).digest("hex") };
    },
    env: commandEnvironment({ PATH: "/usr/local/bin:/usr/bin:/bin", HOME: root }),
    folder,
    ...parts,
  });
  return {
    root,
    runner,
    bash: (script, timeoutMs = 30_000, signal = never) =>
      runner.run({ command: ["bash", "-c", script], cwd: ".", timeoutMs }, () => undefined, signal),
    run: (argv, cwd = ".") => runner.run({ command: argv, cwd, timeoutMs: 30_000 }, () => undefined, never),
    async remove() {
      await runner.close();
      rmSync(base, { recursive: true, force: true });
    },
  };
}
