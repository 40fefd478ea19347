/** The runner: commands one after another, and servers that go on until they are stopped or the session ends. */

import { Failure } from "../error.ts";
import { createPipes } from "./system/pipe.ts";
import type { Command, Runner, Running } from "./runner.ts";
import { createLive } from "./output/live.ts";
import { createServer } from "./server.ts";
import { startCommand, type CommandParts, type Started } from "./start-command.ts";
import { createWatchdog } from "./watchdog.ts";

/** Servers that run at a time. */
const maxServers = 8;

/** A runner with nothing running. Closing it ends all that it started. */
export function createRunner(parts: CommandParts): Runner {
  const pipes = createPipes(parts.folder, parts.env["PATH"] ?? "");
  const watchdog = createWatchdog();
  const closing = new AbortController();
  const alive = new Set<Started>();
  const servers = new Map<string, Running>();
  let count = 0;

  // What happens while a server runs need not be its doing, so nothing is put around it.
  const unobserved = { ...parts, around: undefined };

  async function begin(
    given: CommandParts,
    command: Command,
    onText: (text: string) => void,
    signal: AbortSignal,
  ): Promise<Started> {
    const started = await startCommand(given, command, { onText, pipes, watchdog }, signal);
    alive.add(started);
    const gone = (): boolean => alive.delete(started);
    void started.done.then(gone, gone);
    return started;
  }

  return {
    enclosed: parts.enclosure !== undefined,
    async run(command, onOutput, given) {
      const signal = AbortSignal.any([given, closing.signal]);
      signal.throwIfAborted();
      const live = createLive(onOutput);
      try {
        const started = await begin(parts, command, (text) => live.add(text), signal);
        const timedOut = await untilExit(started, command.timeoutMs, signal);
        const ended = await started.done;
        signal.throwIfAborted();
        await started.explain(ended.code, signal);
        return { ...ended, timedOut };
      } finally {
        live.end();
      }
    },
    async start(command, given) {
      const signal = AbortSignal.any([given, closing.signal]);
      signal.throwIfAborted();
      if ([...servers.values()].filter(({ ended }) => ended === undefined).length >= maxServers) throw tooMany();
      count += 1;
      const id = `process-${count}`;
      const server = await createServer({ id, command: command.command, onStop: () => servers.delete(id) }, (onText) =>
        begin(unobserved, command, onText, signal),
      );
      servers.set(id, server);
      return server;
    },
    running: () => [...servers.values()],
    async close() {
      closing.abort(new Failure("E_CLOSED", "The session has ended."));
      await Promise.allSettled([...alive].map((started) => started.end()));
      await Promise.allSettled([...alive].map((started) => started.done));
      await pipes[Symbol.asyncDispose]();
      await watchdog[Symbol.asyncDispose]();
    },
  };
}

/** Ends it when the time is up or the signal fires. True: the time was up. */
async function untilExit(started: Started, timeoutMs: number, signal: AbortSignal): Promise<boolean> {
  let timedOut = false;
  const end = (): void => void started.end();
  const timer = setTimeout(() => {
    timedOut = true;
    end();
  }, timeoutMs);
  signal.addEventListener("abort", end, { once: true });
  if (signal.aborted) end();
  try {
    await started.exit;
    return timedOut;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", end);
  }
}

function tooMany(): Failure {
  return new Failure("E_TOO_MANY", `${maxServers} processes are running already.`, {
    remedy: "Stop one of them with stop_process first.",
  });
}
