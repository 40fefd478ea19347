import { expect, test } from "vitest";
import type { Message } from "../../message.ts";
import { conversationOf, type Call } from "./conversation.ts";
import { nextStep } from "./plan.ts";

test("what the harness adds behind the answer of a tool is no part of the answer", () => {
  const call: Call = { name: "read_file", input: { path: "a", offset: 1, limit: 1 } };
  const text = (words: string): { type: "text"; text: string } => ({ type: "text", text: words });
  const content = [
    text("a: lines 1-1 of 2\n1\tx\n(continue with offset 2)"),
    text("[harness] A memory file:\n1\tnot x"),
  ];
  const messages: Message[] = [
    { role: "user", content: [text("What is in a?")] },
    {
      role: "assistant",
      content: [{ type: "tool_use", id: "1", ...call }],
      origin: { provider: "", model: "offline" },
    },
    { role: "user", content: [{ type: "tool_result", toolUseId: "1", content, isError: false }] },
  ];
  expect(conversationOf({ messages, tools: [] }, []).answered(call)).toEqual({
    text: content[0]?.text,
    isError: false,
  });
});

test("of a question with something long pasted behind it the beginning is read", () => {
  for (const unit of [".", "A", "a.", "a::", '"', "(", "`", "@a."]) {
    const text = `Where is runTurn defined? ${unit.repeat(300_000)}x`;
    const said = conversationOf({ messages: [{ role: "user", content: [{ type: "text", text }] }], tools: [] }, []);
    expect(said.question).toBe(text.slice(0, 10_000));
    expect(nextStep(said)).toEqual({ answer: expect.stringContaining("tool search") });
  }
});
