/** How a command ended, as the details of its result tell it. */

export type CommandEnd = { failed: boolean; says: string };

/** Undefined: they are not of a command. */
export function commandEnd(details: unknown): CommandEnd | undefined {
  if (typeof details !== "object" || details === null || !("timedOut" in details)) return undefined;
  if (details.timedOut === true) return { failed: true, says: "timed out" };
  if ("code" in details && typeof details.code === "number") {
    return { failed: details.code !== 0, says: `exit ${details.code}` };
  }
  const signal = "signal" in details && typeof details.signal === "string" ? details.signal : "a signal";
  return { failed: true, says: `ended by ${signal.slice(0, 20)}` };
}
