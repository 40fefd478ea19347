import type { Event } from "@croft/harness";
import { escapeJson } from "./escape.ts";
import type { Output } from "./output.ts";

/** One event a line as it happens, the stop event last. Lines are pure of characters a terminal would obey. */
export function jsonLines(out: Output): (event: Event) => void {
  return (event) => out.write(jsonLine(event));
}

/** A value as one line of JSON, line feed included. */
export function jsonLine(value: unknown): string {
  return `${escapeJson(JSON.stringify(value))}\n`;
}
