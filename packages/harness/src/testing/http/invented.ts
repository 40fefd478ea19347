/** Calls of tools that never were: a model makes them up, and a server that said so itself must take them back. */

export interface Invented {
  /** Notes what a reply to a request with these tools calls. */
  note(called: readonly string[], tools: readonly string[]): void;
  /** Whether such a call was made up here. */
  has(name: string): boolean;
}

export function invented(): Invented {
  const names = new Set<string>();
  return {
    note(called, tools) {
      for (const name of called) if (!tools.includes(name)) names.add(sendableName(name));
    },
    has: (name) => names.has(name),
  };
}

/** A name as a request may carry it: what a client makes of one that no API accepts back. */
export function sendableName(name: string): string {
  return name.replace(/[^a-zA-Z0-9_-]/g, "_").slice(0, 64) || "_";
}
