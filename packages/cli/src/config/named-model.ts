/** The schema of an entry of `models`. */

import type { Service } from "@croft/harness";
import { z } from "zod";
import type { NamedModel } from "./config.ts";
import { providers } from "./providers.ts";
import { amount, baseUrl, count, flag, text } from "./values.ts";

const apis = ["messages", "chat-completions"] as const;
const capabilitiesOf: Readonly<Record<Service["api"], readonly string[]>> = {
  messages: ["betas", "caching", "thinking", "definedTools", "images"],
  "chat-completions": ["limit", "images", "usage", "reasoning"],
};
const limits = ["max_tokens", "max_completion_tokens"] as const;

export function namedModel(): z.ZodType<NamedModel> {
  const names = [...providers.keys()].join(", ");
  return z
    .strictObject({
      provider: text().optional().describe(`Who serves it: ${names}, or a name of your own with api and baseUrl`),
      api: z.enum(apis, `must be ${apis.join(" or ")}`).optional(),
      model: text().describe("As the provider names it"),
      baseUrl: baseUrl()
        .optional()
        .describe(
          "What stands before /v1/messages or /chat/completions; a key is sent there only if apiKeyEnv names it",
        ),
      apiKeyEnv: z
        .string("must be a string")
        .regex(/^[A-Z_a-z][A-Z_a-z0-9]*$/, "must be the name of an environment variable, not the key itself")
        .optional()
        .describe("The environment variable that holds the key"),
      context: count().optional().describe("Tokens of a request and its reply"),
      output: count().optional().describe("Tokens of output at most"),
      price: price()
        .optional()
        .describe(
          "Dollars per million tokens; if absent, what is read from a cache costs as input, and what is written to one a quarter more",
        ),
      capabilities: capabilities().optional().describe("What the server can do, where it is not what croft expects"),
    })
    .superRefine((model, context) => {
      for (const issue of contradictions(model)) context.addIssue({ code: "custom", ...issue });
    });
}

/** Services that let a prompt be written to a cache take up to this much more for it. */
const dearestWrite = 1.25;

function price(): z.ZodType<NonNullable<NamedModel["price"]>> {
  return z
    .strictObject({
      input: amount(),
      output: amount(),
      cacheRead: amount().optional(),
      cacheWrite: amount().optional(),
    })
    .transform(({ input, output, cacheRead = input, cacheWrite = input * dearestWrite }) => ({
      input,
      output,
      cacheRead,
      cacheWrite,
    }));
}

function capabilities(): z.ZodType<NonNullable<NamedModel["capabilities"]>> {
  return z.strictObject({
    betas: flag().exactOptional(),
    caching: flag().exactOptional(),
    thinking: flag().exactOptional(),
    definedTools: flag().exactOptional(),
    limit: z.enum(limits, `must be ${limits.join(" or ")}`).exactOptional(),
    images: flag().exactOptional(),
    usage: flag().exactOptional(),
    reasoning: flag().exactOptional(),
  });
}

function contradictions({
  provider = "",
  api,
  baseUrl,
  capabilities = {},
}: NamedModel): { path?: string[]; message: string }[] {
  const row = providers.get(provider);
  if (row === undefined && (api === undefined || baseUrl === undefined)) {
    return [{ message: `needs a provider (${[...providers.keys()].join(", ")}), or both api and baseUrl` }];
  }
  if (row !== undefined && api !== undefined && api !== row.api && baseUrl === undefined) {
    return [{ path: ["api"], message: `must be ${row.api} at ${provider}` }];
  }
  const spoken = api ?? row?.api;
  return Object.keys(capabilities)
    .filter((name) => spoken !== undefined && !capabilitiesOf[spoken].includes(name))
    .map((name) => ({ path: ["capabilities", name], message: `means nothing to ${spoken}` }));
}
