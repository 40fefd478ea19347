/** What stands behind a command on its line. */

import { parseArgs, type ParseArgsOptionsConfig } from "node:util";
import { messageOf } from "@croft/harness";
import { nearest } from "./nearest.ts";
import { UsageError } from "./usage.ts";

export type Arguments<Options extends ParseArgsOptionsConfig> = ReturnType<
  typeof parseArgs<{ args: string[]; options: Options; allowPositionals: true; strict: true }>
>;

/** Options may stand anywhere before `--`; the rest are positionals. Throws UsageError E_ARGUMENTS. */
export function parseArguments<const Options extends ParseArgsOptionsConfig>(
  command: string,
  args: readonly string[],
  options: Options,
): Arguments<Options> {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (cause) {
    // Behind the first line or sentence stands advice about dashes, which is seldom what went wrong.
    const message = messageOf(cause).replace(/\.?(?: To specify a positional .*|\n.*)?$/s, ".");
    const names = Object.keys(options).map((name) => `--${name}`);
    const isUnknown = cause instanceof Error && "code" in cause && cause.code === "ERR_PARSE_ARGS_UNKNOWN_OPTION";
    const takes = isUnknown && names.length > 0 ? `${meantBy(message, names)} ` : "";
    throw new UsageError("E_ARGUMENTS", message, `${takes}See croft ${command} --help.`, cause);
  }
}

/** The option that is meant, perhaps, else all of them. `message`: the parser's own, which quotes what was typed. */
function meantBy(message: string, names: readonly string[]): string {
  const [, typed] = /'(--[^']+)'/.exec(message) ?? [];
  const near = typed === undefined ? undefined : nearest(typed, names);
  return near === undefined ? `It takes ${names.join(", ")}.` : `Did you mean ${near}?`;
}

/** A whole number, 1 or more; undefined stays undefined. Throws UsageError E_ARGUMENTS. */
export function count(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= 1 && Number.isSafeInteger(value)) return value;
  throw wrong(option, text, "a whole number, 1 or more");
}

/** Dollars, 0 or more; undefined stays undefined. Throws UsageError E_ARGUMENTS. */
export function dollars(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (isDecimal(text) && Number.isFinite(value)) return value;
  throw wrong(option, text, "a number of dollars, such as 0.50");
}

/** Milliseconds from seconds, more than 0; undefined stays undefined. Throws UsageError E_ARGUMENTS. */
export function secondsInMs(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const ms = Number(text) * 1000;
  if (isDecimal(text) && ms > 0 && Number.isFinite(ms)) return ms;
  throw wrong(option, text, "a number of seconds, more than 0");
}

function isDecimal(text: string): boolean {
  return /^(\d+\.?\d*|\.\d+)$/.test(text);
}

/** A command of the chat comes with its slash. */
function wrong(option: string, text: string, wanted: string): UsageError {
  const name = option.startsWith("/") ? option : `--${option}`;
  return new UsageError("E_ARGUMENTS", `${name} cannot be ${JSON.stringify(text)}.`, `It takes ${wanted}.`);
}
