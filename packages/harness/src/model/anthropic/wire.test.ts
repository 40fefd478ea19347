import { expect, test } from "vitest";
import type { Message } from "../../message.ts";
import type { ModelRequest } from "../model.ts";
import { toWire } from "./wire.ts";

const origin = { provider: "anthropic", model: "m" };
const plain = { betas: false, caching: false, definedTools: true, thinking: false };
const settings = { model: "m", capabilities: plain, effort: "high", fallbacks: true, origin } as const;

function asked(messages: Message[], more: Partial<ModelRequest> = {}): ModelRequest {
  return { system: [], tools: [], messages, maxTokens: 10, ...more };
}

test("what cannot be sent is left out: texts without a visible character, and messages of nothing else", () => {
  const { messages, system } = toWire(
    asked(
      [
        {
          role: "user",
          content: [
            { type: "text", text: "Hi" },
            { type: "text", text: " " },
          ],
        },
        { role: "assistant", content: [{ type: "text", text: "" }], origin },
      ],
      { system: [{ type: "text", text: "\n" }] },
    ),
    settings,
  );
  expect(messages).toEqual([{ role: "user", content: [{ type: "text", text: "Hi" }] }]);
  expect(system).toBeUndefined();
});

test("results carry errors, images the service takes, and a word for those it does not", () => {
  const { messages } = toWire(
    asked([
      {
        role: "user",
        content: [
          {
            type: "tool_result",
            toolUseId: "a",
            isError: true,
            content: [
              { type: "text", text: "no" },
              { type: "image", mediaType: "image/png", base64: "AAAA" },
              { type: "image", mediaType: "image/bmp", base64: "AAAA" },
            ],
          },
        ],
      },
    ]),
    settings,
  );
  expect(messages[0]?.content).toEqual([
    {
      type: "tool_result",
      tool_use_id: "a",
      is_error: true,
      content: [
        { type: "text", text: "no" },
        { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } },
        { type: "text", text: "(an image the service does not take: image/bmp)" },
      ],
    },
  ]);
});

test("a tool that the service has defined is sent as no more than its type and name, to a service that knows it", () => {
  const bash = { name: "bash", description: "Runs.", schema: { properties: {} }, wire: { type: "bash_20250124" } };
  const editor = { ...bash, name: "str_replace_based_edit_tool", wire: { type: "text_editor_20250728" } };
  const unknown = { ...bash, name: "other", wire: { type: "other_20990101" } };
  const request = asked([], { tools: [bash, editor, unknown] });
  const plainly = (name: string): object => ({
    name,
    description: "Runs.",
    input_schema: { type: "object", properties: {} },
  });
  expect(toWire(request, settings).tools).toEqual([
    { type: "bash_20250124", name: "bash" },
    { type: "text_editor_20250728", name: "str_replace_based_edit_tool" },
    plainly("other"),
  ]);
  const capabilities = { ...settings.capabilities, definedTools: false };
  expect(toWire(request, { ...settings, capabilities }).tools).toEqual(
    ["bash", "str_replace_based_edit_tool", "other"].map(plainly),
  );
});
