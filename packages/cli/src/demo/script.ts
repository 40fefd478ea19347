/** What the model of the demo says: a wrong change, a claim that nobody checked, and, once it was checked, the right one. */

import type { Script } from "@croft/harness";
import { check, culprit, wrong } from "./project.ts";

type Part = { type: "text"; text: string } | { type: "tool_use"; name: string; input: unknown };

const say = (text: string): Part => ({ type: "text", text });
const call = (name: string, input: unknown): Part => ({ type: "tool_use", name, input });

const hasty = `${wrong} + item.quantity`;
const right = `${wrong} * item.quantity`;
const edit = (from: string, to: string): Part => call("edit_file", { path: culprit, old_string: from, new_string: to });

export const script: Script = [
  [
    say("I look at the code and its test, and run it."),
    call("read_file", { path: culprit }),
    call("read_file", { path: "test/cart.test.js" }),
    call("run_command", { argv: check }),
  ],
  [say("The quantity is left out: I put it in."), edit(wrong, hasty)],
  say(`Done: \`total\` takes the quantity into account (${culprit}:3), and all tests pass.`),
  [say("They do not. A quantity multiplies the price; I had added it."), edit(hasty, right)],
  say(
    `\`total\` multiplies each price by its quantity now (${culprit}:3). My first change was wrong, as the tests showed.`,
  ),
];
