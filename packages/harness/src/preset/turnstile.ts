/** A turnstile: no more than so many at a time are inside, in the order in which they came. */

/** Waits until there is a place; disposing of it lets the next one in. Throws the signal's reason. */
export type Enter = (signal: AbortSignal) => Promise<Disposable>;

export function turnstile(most: number): Enter {
  const waiting: (() => void)[] = [];
  let inside = 0;

  function leave(): void {
    const next = waiting.shift();
    if (next === undefined) inside -= 1;
    else next(); // the place goes from hand to hand
  }

  return async (signal) => {
    signal.throwIfAborted();
    if (inside === most) await placeFor(signal);
    else inside += 1;
    return { [Symbol.dispose]: leave };
  };

  function placeFor(signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const enter = (): void => {
      signal.removeEventListener("abort", giveUp);
      resolve();
    };
    const giveUp = (): void => {
      waiting.splice(waiting.indexOf(enter), 1);
      reject(signal.reason);
    };
    waiting.push(enter);
    signal.addEventListener("abort", giveUp, { once: true });
    return promise;
  }
}
