/**
 * An answer that somebody else gives. `begin` gets what gives it, and returns what puts everything back behind it,
 * however it ended. Rejects with the signal's reason when it fires.
 */
export async function pending<Value>(
  signal: AbortSignal,
  begin: (answer: (value: Value) => void) => () => void,
): Promise<Value> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<Value>();
  const onAbort = (): void => reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  const end = begin(resolve);
  try {
    return await promise;
  } finally {
    signal.removeEventListener("abort", onAbort);
    end();
  }
}
