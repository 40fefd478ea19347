import { describe, it } from "vitest";
import {
  httpError,
  modelConformance,
  rawCall,
  reply,
  startMessagesServer,
  type Act,
  type ServerReply,
} from "@croft/harness/testing";
import { rawHttp } from "../../examples/raw-http-model.ts";

const broken = { cut: { at: 3000, how: "reset" }, silent: { at: 700, how: "silence" } } as const;

function replyTo({ parts, end, usage }: Act): ServerReply {
  if (end === "overloaded") return httpError(529, "Overloaded");
  const raw = parts.map((part) =>
    part.type === "tool_use" && typeof part.input === "string" ? rawCall(part.name, part.input) : part,
  );
  const stop = end === "max_tokens" || end === "refusal" ? end : undefined;
  return reply(raw, { usage, stop, broken: end === "cut" || end === "silent" ? broken[end] : undefined });
}

describe("the model over raw HTTP of examples/", () => {
  it.each(modelConformance.map(({ name, run }) => [name, run] as const))("%s", async (_, run) => {
    await run(async (acts) => {
      const server = await startMessagesServer({ script: acts.map(replyTo), surface: "compatible" });
      const model = rawHttp({ model: "claude-opus-5-5", baseUrl: server.url, apiKey: "test-key" });
      return { model, close: () => server.close() };
    });
  });
});
