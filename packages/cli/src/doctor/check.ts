/** One thing that was looked at: how it stands, in a sentence, and what to do about it. */
export type Check = { name: string; state: "ok" | "warn" | "fail"; says: string; remedy?: string | undefined };

export function ok(name: string, says: string): Check {
  return { name, state: "ok", says };
}

/** croft works, but not all of it. */
export function warn(name: string, says: string, remedy?: string): Check {
  return { name, state: "warn", says, remedy };
}

/** Something does not work. */
export function fail(name: string, says: string, remedy?: string): Check {
  return { name, state: "fail", says, remedy };
}
