/** Ctrl+C and its kin: the first asks the run to end in good order, the second ends croft at once. */

const codes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129, SIGQUIT: 131 } as const;

export type Interrupts = {
  signal: AbortSignal;
  /** The exit code of the signal that came, if one did. */
  code(): number | undefined;
};

/** Listens for as long as the process lives. */
export function catchInterrupts(): Interrupts {
  const controller = new AbortController();
  let code: number | undefined;
  for (const [name, exit] of Object.entries(codes)) {
    process.on(name, () => {
      if (code !== undefined) process.exit(exit);
      code = exit;
      controller.abort();
    });
  }
  return { signal: controller.signal, code: () => code };
}
