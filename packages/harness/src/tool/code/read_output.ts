/** The tool that reads on in a long output of a program. */

import { z } from "zod";
import { Failure } from "../../error.ts";
import { defineTool, textResult, type Tool } from "../tool.ts";
import { text, wholeNumber } from "./input.ts";
import description from "./read_output.md";

/** Characters of a line that are sent, of all lines together, and of what stands around them. */
const lineLimit = 2_000;
const maxTotal = 30_000;
const around = 300;

const input = z.strictObject({
  id: text().describe("Such as output-…"),
  offset: wholeNumber(1, 1_000_000_000).default(1).describe("First line"),
  limit: wholeNumber(1, 2_000).default(400).describe("Lines at most"),
  contains: text()
    .min(1, "must not be empty")
    .max(1_000, "must be short")
    .optional()
    .describe("As it stands, no regex"),
});

/** Numbered lines, and the offset to continue with. Throws E_NO_OUTPUTS, and as Outputs. */
export const readOutput: Tool = defineTool({
  name: "read_output",
  description,
  input,
  effect: "read",
  async run({ id, offset, limit, contains }, { outputs, resultLimit = maxTotal + around, signal }) {
    if (outputs === undefined) throw noOutputs();
    const most = Math.min(maxTotal, resultLimit - around);
    const range = { from: offset, limit, lineLimit: Math.min(lineLimit, most), most, containing: contains };
    const { lines, more } = await outputs.read(id, range, signal);
    const last = lines.at(-1)?.line;
    if (last === undefined) return textResult(`${id}: no such line from ${offset} on`);
    const shown = lines.map(({ line, text: start, left }) => {
      return `${line}\t${start}${left === 0 ? "" : `… (${left} characters more)`}`;
    });
    return textResult([`${id}:`, ...shown, ...(more ? [`(continue with offset ${last + 1})`] : [])].join("\n"));
  },
});

function noOutputs(): Failure {
  return new Failure("E_NO_OUTPUTS", "Outputs of programs are not kept here.", {
    remedy: "Run the command again so that it prints less.",
  });
}
