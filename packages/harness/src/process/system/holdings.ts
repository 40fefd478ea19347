/** What is to be let go of together. Node has it as AsyncDisposableStack, but only from 24 on. */

export interface Holdings extends AsyncDisposable {
  /** Takes it in, and gives it back. */
  use<T extends Disposable | AsyncDisposable>(held: T): T;
  defer(letGo: () => void): void;
  /** Hands all of it over: from now on it is let go of by disposing what is returned. */
  move(): AsyncDisposable;
}

/** Disposing lets go of the last first, of each whatever becomes of the others, and then throws the first error. */
export function createHoldings(): Holdings {
  let held: (() => unknown)[] = [];
  return {
    use(one) {
      held.push(() => (Symbol.asyncDispose in one ? one[Symbol.asyncDispose]() : one[Symbol.dispose]()));
      return one;
    },
    defer: (letGo) => void held.push(letGo),
    move() {
      const moved = held;
      held = [];
      return { [Symbol.asyncDispose]: () => letGoOf(moved) };
    },
    [Symbol.asyncDispose]: () => letGoOf(held),
  };
}

async function letGoOf(held: (() => unknown)[]): Promise<void> {
  const errors: unknown[] = [];
  for (const letGo of held.splice(0).toReversed()) {
    try {
      await letGo();
    } catch (thrown) {
      errors.push(thrown);
    }
  }
  if (errors.length > 0) throw errors[0];
}
