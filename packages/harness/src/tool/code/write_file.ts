/** The tool that writes a whole file. */

import { z } from "zod";
import { asFailure, Failure } from "../../error.ts";
import { showPath } from "../../workspace/text/show-path.ts";
import type { Source } from "../../workspace/workspace.ts";
import { defineTool, type Tool, type ToolContext } from "../tool.ts";
import { changedResult } from "./changed.ts";
import { text } from "./input.ts";
import { readFirst } from "./read-first.ts";
import { rewritten, type Rewritten } from "./rewrite.ts";
import description from "./write_file.md";

const input = z.strictObject({
  path: text().describe("Relative to the project folder"),
  content: text().describe("The whole file"),
});

/** Throws what `readFirst` and committing throw, E_ENCODING. */
export const writeFile: Tool = defineTool({
  name: "write_file",
  description,
  input,
  effect: "write",
  async run({ path, content }, context) {
    const present = await presentAt(path, context);
    const { bytes, note }: Rewritten =
      present === undefined ? { bytes: created(path, content) } : rewritten(present, content);
    const before = present?.hash ?? null;
    const committed = await context.workspace.commit([{ path, before, after: bytes }], context.signal);
    return changedResult(committed, note === undefined ? [] : [`(${note})`]);
  },
});

/** What stands there, if anything does; that nothing does is found out again when the change is planned. */
async function presentAt(path: string, context: ToolContext): Promise<Source | undefined> {
  try {
    return await readFirst(path, context);
  } catch (thrown) {
    if (asFailure(thrown).code === "E_NOT_FOUND") return undefined;
    throw thrown;
  }
}

/** A new file is UTF-8, byte for byte as it was asked for. */
function created(path: string, content: string): Uint8Array {
  if (content.isWellFormed()) return Buffer.from(content);
  throw new Failure("E_ENCODING", `The content for ${showPath(path)} has half of a surrogate pair in it.`, {
    remedy: "Send whole characters.",
  });
}
