/** A turnstile: no more than so many at a time are inside, in the order in which they came. */

/** Waits until there is a place; disposing of it lets the next one in. */
export type Enter = () => Promise<Disposable>;

export function turnstile(most: number): Enter {
  const waiting: (() => void)[] = [];
  let inside = 0;

  function leave(): void {
    const next = waiting.shift();
    if (next === undefined) inside -= 1;
    else next(); // the place goes from hand to hand
  }

  return async () => {
    if (inside < most) inside += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    return { [Symbol.dispose]: leave };
  };
}
