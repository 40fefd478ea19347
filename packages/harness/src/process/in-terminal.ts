/** A program that gets the terminal, such as a person's editor. */

export type TerminalProgram = {
  argv: readonly [string, ...string[]];
  cwd: string;
  environment: Readonly<Record<string, string | undefined>>;
};

/**
 * Runs what the person chose on the terminal croft was started on, as they would: no gate, no sandbox, their whole
 * environment. So nothing that a model says may become a part of it. The exit code; undefined where it could not be
 * started or was killed. A signal asks it to end, and its end is waited for: it has a terminal to put in order. Whoever
 * calls this reads nothing from the terminal meanwhile.
 */
export async function runInTerminal(
  { argv, cwd, environment }: TerminalProgram,
  signal: AbortSignal,
): Promise<number | undefined> {
  const [file, ...args] = argv;
  const { spawn } = await import("node:child_process");
  const { promise, resolve } = Promise.withResolvers<number | undefined>();
  const child = spawn(file, args, { cwd, env: { ...environment }, stdio: "inherit" });
  child.once("error", () => resolve(undefined)).once("exit", (code) => resolve(code ?? undefined));
  const end = (): void => void child.kill();
  signal.addEventListener("abort", end, { once: true });
  if (signal.aborted) end();
  return promise.finally(() => signal.removeEventListener("abort", end));
}
