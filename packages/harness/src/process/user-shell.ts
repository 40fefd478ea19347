/**
 * The user's own commands, as in a terminal of theirs: their shell, their environment, no sandbox and no gate, for they
 * have typed them. Nothing that a model says may come here.
 */

import { isAbsolute } from "node:path";
import { startJob } from "./job.ts";
import { createCapture } from "./output/capture.ts";
import { createLive } from "./output/live.ts";
import type { Ended } from "./runner.ts";
import { createPipes } from "./system/pipe.ts";
import { createWatchdog } from "./watchdog.ts";

export type UserShellOptions = {
  /** Where each command starts. */
  root: string;
  /** All of the user's; SHELL says which shell it is. */
  environment: Readonly<Record<string, string | undefined>>;
  /** A folder that nobody else may enter, for pipes. */
  folder: string;
};

/** How a command ended. Of a long output the head and the tail are kept, and nothing on disk. */
export type UserRan = Pick<Ended, "code" | "signal" | "left"> & { command: string; output: string; cancelled: boolean };

export interface UserShell {
  /**
   * Runs a line to its end, without a terminal and with an empty stdin. `onOutput` gets readable pieces as they come. A
   * signal ends it with all that it started, which is no error. Throws E_NOT_STARTED.
   */
  run(command: string, onOutput: (text: string) => void, signal: AbortSignal): Promise<UserRan>;
  /** Ends what still runs. */
  close(): Promise<void>;
}

/** Nothing is started before the first command. */
export function openUserShell({ root, environment, folder }: UserShellOptions): UserShell {
  const env = defined(environment);
  const pipes = createPipes(folder, env["PATH"] ?? "");
  const watchdog = createWatchdog();
  const closing = new AbortController();
  const running = new Set<Promise<UserRan>>();

  async function run(command: string, onOutput: (text: string) => void, given: AbortSignal): Promise<UserRan> {
    const signal = AbortSignal.any([given, closing.signal]);
    const live = createLive(onOutput);
    const capture = createCapture({ folder: undefined, onText: (text) => live.add(text) });
    try {
      const launch = { argv: [shellOf(env), "-c", command] as const, cwd: root, env, descriptors: [] };
      const job = await startJob({ launch, pipes, watchdog, take: (bytes) => capture.write(bytes) });
      const end = (): void => void job.end();
      signal.addEventListener("abort", end, { once: true });
      if (signal.aborted) end();
      const ended = await job.done.finally(() => signal.removeEventListener("abort", end));
      const { output } = await capture.finish();
      return { command, ...ended, output: output.text, cancelled: signal.aborted };
    } finally {
      live.end();
    }
  }

  return {
    run(command, onOutput, signal) {
      const ran = run(command, onOutput, signal);
      running.add(ran);
      const gone = (): boolean => running.delete(ran);
      ran.then(gone, gone);
      return ran;
    },
    async close() {
      closing.abort();
      await Promise.allSettled(running);
      await pipes[Symbol.asyncDispose]();
      await watchdog[Symbol.asyncDispose]();
    },
  };
}

function shellOf({ SHELL = "" }: Readonly<Record<string, string>>): string {
  return isAbsolute(SHELL) ? SHELL : "/bin/sh";
}

function defined(environment: UserShellOptions["environment"]): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
  );
}
