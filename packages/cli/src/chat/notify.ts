import type { Notify } from "../config/config.ts";

/** Milliseconds of a turn behind whose end somebody may have to be called back. */
export const longMs = 10_000;

/** What a terminal makes a sound or a notice of; it shows nothing and moves no cursor. */
export const calls: Readonly<Record<Notify, string>> = {
  off: "",
  bell: "\u0007",
  osc9: "\u001b]9;croft is done\u0007",
};
