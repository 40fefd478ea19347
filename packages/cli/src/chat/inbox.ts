/** What was entered and waits: messages for the running turn, and all that has a turn of its own behind it. */

/** "now": for the turn that runs, and where it ends first, a turn of its own like the others. */
export type Waiting = { text: string; when: "now" | "later" };

export interface Inbox {
  add(entry: Waiting): void;
  /** The next in order; waits for it. Undefined once the inbox is shut. */
  next(): Promise<Waiting | undefined>;
  /**
   * Takes out what the running turn should hear: what is for it and stands behind no command. `messageIn` gives what an
   * entry says; undefined where it is no message.
   */
  forTurn(messageIn: (text: string) => string | undefined): readonly string[];
  /** Takes out the one that was entered last. */
  last(): string | undefined;
  /** Takes out all. */
  all(): readonly string[];
  readonly texts: readonly string[];
  readonly isShut: boolean;
  /** What waits is forgotten. Can be called twice. */
  shut(): void;
}

/** `onChange` hears whenever `texts` are others. */
export function createInbox(onChange: () => void): Inbox {
  let waiting: Waiting[] = [];
  let isShut = false;
  let wake: (() => void) | undefined;

  function replace(rest: Waiting[]): void {
    waiting = rest;
    onChange();
    wake?.();
  }

  return {
    add(entry) {
      if (!isShut) replace([...waiting, entry]);
    },
    async next() {
      for (;;) {
        const [first, ...rest] = waiting;
        if (first !== undefined) replace(rest);
        if (first !== undefined || isShut) return first;
        const { promise, resolve } = Promise.withResolvers<void>();
        wake = resolve;
        await promise;
      }
    },
    forTurn(messageIn) {
      const command = waiting.findIndex(({ text }) => messageIn(text) === undefined);
      const reach = command === -1 ? waiting.length : command;
      const isHeard = ({ when }: Waiting, at: number): boolean => when === "now" && at < reach;
      const heard = waiting.filter(isHeard).map(({ text }) => messageIn(text) ?? text);
      if (heard.length > 0) replace(waiting.filter((entry, at) => !isHeard(entry, at)));
      return heard;
    },
    last() {
      const one = waiting.at(-1);
      if (one !== undefined) replace(waiting.slice(0, -1));
      return one?.text;
    },
    all() {
      const texts = waiting.map(({ text }) => text);
      if (texts.length > 0) replace([]);
      return texts;
    },
    get texts() {
      return waiting.map(({ text }) => text);
    },
    get isShut() {
      return isShut;
    },
    shut() {
      isShut = true;
      replace([]);
    },
  };
}
