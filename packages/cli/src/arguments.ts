/** What stands behind a command on its line. */

import { parseArgs, type ParseArgsOptionsConfig } from "node:util";
import { messageOf } from "@croft/harness";
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
    // Behind the first sentence stands advice about --, which is seldom what went wrong, or about values with a dash.
    const message = messageOf(cause).replace(/\.?(?: To specify a positional .*|\nDid you forget .*)?$/s, ".");
    const see = `See croft ${command} --help.`;
    const names = Object.keys(options).map((name) => `--${name}`);
    const isUnknown = cause instanceof Error && "code" in cause && cause.code === "ERR_PARSE_ARGS_UNKNOWN_OPTION";
    const remedy = isUnknown && names.length > 0 ? `It takes ${names.join(", ")}. ${see}` : see;
    throw new UsageError("E_ARGUMENTS", message, remedy, cause);
  }
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
