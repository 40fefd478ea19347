import fc from "fast-check";
import { expect, test } from "vitest";
import type { Message } from "../message.ts";
import { cutAt } from "./cut-at.ts";
import { bytesOf } from "./prompt-size.ts";

const origin = { provider: "mock", model: "one" };
const said = (length: number): Message => ({ role: "user", content: [{ type: "text", text: "x".repeat(length) }] });

/** A call with an input and a result of so many characters. */
function exchange(id: string, input: number, result: number): Message[] {
  const content = [{ type: "text" as const, text: "r".repeat(result) }];
  return [
    { role: "assistant", content: [{ type: "tool_use", id, name: "read", input: "i".repeat(input) }], origin },
    { role: "user", content: [{ type: "tool_result", toolUseId: id, content, isError: false }] },
  ];
}

test("a call is never cut off from its result, and as much is kept as fits", () => {
  const length = fc.integer({ min: 0, max: 500 });
  const piece = fc.oneof(fc.tuple(length, length), length);
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), fc.integer({ min: 0, max: 3_000 }), (pieces, most) => {
      const messages = [
        said(10),
        ...pieces.flatMap((one, index) => (typeof one === "number" ? [said(one)] : exchange(`t${index}`, ...one))),
      ];
      const starts = messages.flatMap(({ content }, index) =>
        index > 0 && content.every(({ type }) => type !== "tool_result") ? [index] : [],
      );
      expect(cutAt(messages, most)).toBe(starts.find((index) => bytesOf(messages.slice(index)) <= most));
    }),
  );
});
