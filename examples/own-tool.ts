/**
 * A tool of one's own: a schema, words for the model, and doors that have passed the gate. `openAsk({ tools: [countWords], … })`
 * offers it to the model, as `openCode`, `openArtifactWork` and the toolsets do.
 */

import { z } from "zod";
import { defineTool, textResult, type Tool } from "@croft/harness";

const input: z.ZodObject<{ path: z.ZodString }> = z.object({
  path: z.string().describe("A text file, relative to the project"),
});

/** Counts the words of a file. It holds a workspace, never the file system, so it can not forget to ask. */
export const countWords: Tool<z.output<typeof input>> = defineTool({
  name: "count_words",
  description: "Counts the words of a text file of the project.",
  input,
  effect: "read",
  async run({ path }, { workspace, signal }) {
    const file = await workspace.read(path, signal);
    return textResult(`${file.path} has ${file.text.split(/\s+/).filter(Boolean).length} words.`);
  },
});
