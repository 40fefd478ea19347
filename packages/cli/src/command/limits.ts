/** Numbers from the command line. commander puts the option's name before the message. */

import { InvalidArgumentError } from "commander";

/** A whole number, 1 or more. */
export function count(text: string): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= 1 && Number.isSafeInteger(value)) return value;
  throw new InvalidArgumentError("It must be a whole number, 1 or more.");
}

/** Dollars, 0 or more. */
export function dollars(text: string): number {
  const value = Number(text);
  if (/^\d*\.?\d+$/.test(text) && Number.isFinite(value)) return value;
  throw new InvalidArgumentError("It must be a number of dollars, such as 0.50.");
}

/** Seconds, more than 0. Longer than a timer of the system can be set (24 days) is refused. */
export function seconds(text: string): number {
  const value = Number(text);
  if (/^\d*\.?\d+$/.test(text) && value > 0 && value * 1000 < 2 ** 31) return value;
  throw new InvalidArgumentError("It must be a number of seconds, more than 0.");
}
