/** Asks the offline model one question over a folder, as the loop does, and keeps what the tools showed. */

import { toolUsesOf, textOf, type Message } from "../../packages/harness/src/message.ts";
import type { Model } from "../../packages/harness/src/model/model.ts";
import { runTool } from "./tools.ts";

export type Asked = { answer: string; steps: number; calls: number; chars: number; shown: ReadonlySet<string> };

const tools = ["search", "read_file", "list_files"].map((name) => ({ name, description: name, schema: {} }));

/** Runs a question to its answer, within the steps that ask has. `shown` holds every `path:line` that a tool sent. */
export async function drive(model: Model, root: string, question: string, most: number = 12): Promise<Asked> {
  const messages: Message[] = [{ role: "user", content: [{ type: "text", text: question }] }];
  const shown = new Set<string>();
  let calls = 0;
  let chars = 0;
  for (let steps = 1; steps <= most; steps++) {
    const request = { system: [], tools, messages, maxTokens: 16_000 };
    const { message } = await model.respond(request, () => {}, AbortSignal.timeout(60_000));
    messages.push(message);
    const uses = toolUsesOf(message);
    if (uses.length === 0) return { answer: textOf(message), steps, calls, chars, shown };
    calls += uses.length;
    messages.push({
      role: "user",
      content: uses.map((use) => {
        const result = runTool(root, use.name, use.input);
        chars += result.text.length;
        noteShown(shown, use.name, use.input, result.text);
        return {
          type: "tool_result",
          toolUseId: use.id,
          content: [{ type: "text", text: result.text }],
          isError: result.isError,
        };
      }),
    });
  }
  throw new Error(`No answer within ${most} steps.`);
}

function noteShown(shown: Set<string>, tool: string, input: unknown, text: string): void {
  const path = typeof input === "object" && input !== null && "path" in input ? String(input.path) : "";
  for (const line of text.split("\n")) {
    const place = tool === "read_file" ? /^(\d+)\t/.exec(line)?.[1] : /^(.+?:\d+): /.exec(line)?.[1];
    if (place !== undefined) shown.add(tool === "read_file" ? `${path}:${place}` : place);
  }
}
