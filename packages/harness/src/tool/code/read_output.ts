/** The tool that reads on in a long output of a program. */

import { z } from "zod";
import { linesIn } from "../../artifact/lines.ts";
import { lineOf, pageFrom, pageOf, lineText, type Page, type Room } from "../../artifact/page.ts";
import { Failure } from "../../error.ts";
import type { HeldFile } from "../../workspace/held.ts";
import { defineTool, textResult, type Tool } from "../tool.ts";
import { text, wholeNumber } from "./input.ts";
import description from "./read_output.md";

/** Characters of all lines that are sent, and of what stands around them. */
const maxTotal = 30_000;
const around = 300;

const input = () =>
  z.strictObject({
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
    using file = await outputs.open(id);
    const room = { limit, most: Math.min(maxTotal, resultLimit - around) };
    const { lines, more } =
      contains === undefined
        ? await pageFrom({ file, lines: linesIn(file) }, offset, room, signal)
        : await pageContaining(file, contains, { from: offset, ...room }, signal);
    const last = lines.at(-1)?.line;
    if (last === undefined) return textResult(`${id}: no such line from ${offset} on`);
    const next = more ? [`(continue with offset ${last + 1})`] : [];
    return textResult([`${id}:`, ...lines.map(lineText), ...next].join("\n"));
  },
});

/** Lines from one on that hold a text. */
async function pageContaining(
  file: HeldFile,
  containing: string,
  { from, ...room }: Room & { from: number },
  signal: AbortSignal,
): Promise<Page> {
  async function* lines(): ReturnType<ReturnType<typeof linesIn>["from"]> {
    for await (const hit of file.search({ pattern: containing, literal: true }, signal)) {
      if (!("done" in hit) && hit.line >= from) yield lineOf(hit);
    }
  }
  return pageOf(lines(), room);
}

function noOutputs(): Failure {
  return new Failure("E_NO_OUTPUTS", "Outputs of programs are not kept here.", {
    remedy: "Run the command again so that it prints less.",
  });
}
