/** The schema of a configuration file: it checks the file, and is published as JSON Schema for editors. */

import { toolsetNames } from "@croft/harness";
import { z } from "zod";
import type { Config } from "./config.ts";
import { namedModel } from "./named-model.ts";
import { amount, commandRule, count, flag, glob, text } from "./values.ts";

/** Each is tried on every path that is looked at, so a project with thousands would make croft crawl. */
const maxGlobs = 500;
const maxCommands = 500;
const notices = ["off", "bell", "osc9"] as const;
const notTrace = "must be true, false or a folder that begins with / or ~/";

/** Made when it is needed: most runs read no file. */
export function configSchema(): z.ZodType<Config> {
  return z.strictObject({
    $schema: z.string("must be a string").optional(),
    model: text().optional().describe("The model to ask: provider/model, offline, or a name from models"),
    models: z.record(alias(), namedModel()).optional().describe("Models by names of your own"),
    budget: z
      .strictObject({
        turns: count().optional().describe("Steps of a run at most"),
        tokens: count().optional().describe("Tokens of a run at most, cached ones included"),
        dollars: amount().optional().describe("A hard ceiling: no request is sent that could pass it"),
        seconds: z
          .number("must be a number")
          .positive("must be more than 0")
          .max(1_000_000, "must be 1000000 or less")
          .optional()
          .describe("Seconds of a run at most"),
      })
      .optional(),
    policy: z
      .strictObject({
        allow: globs().optional().describe("Files that may be read although croft protects them, as in an ignore file"),
        deny: globs().optional().describe("Files that may not be read; it wins over allow"),
      })
      .optional(),
    commands: z
      .strictObject({
        allow: commandRules().optional().describe("Commands that run unasked in the sandbox, such as npm run e2e"),
        ask: commandRules().optional().describe("Commands that are always asked about"),
        deny: commandRules().optional().describe("Commands that are never run; it wins over the other two"),
      })
      .optional(),
    tools: z
      .enum(toolsetNames, `must be ${toolsetNames.slice(0, -1).join(", ")} or ${toolsetNames.at(-1)}`)
      .optional()
      .describe("What a model works with in croft and croft run: its own tools, by handle and staging, or Anthropic's"),
    memory: flag().optional().describe("Whether memory files (AGENTS.md, CLAUDE.md) are loaded"),
    secrets: flag().optional().describe("Whether secrets in text are hidden from models, traces and the screen"),
    verify: z
      .union([flag(), text()], "must be true, false or a command")
      .optional()
      .describe("The command that checks the project after a change; true: found out; false: none"),
    notify: z
      .enum(notices, `must be ${notices.join(", ")}`)
      .optional()
      .describe("What is heard when a long turn of a conversation ends; osc9: a notice of the terminal's"),
    trace: z.union([flag(), folder()], notTrace).optional().describe("Whether traces are kept, or in which folder"),
  });
}

/** The JSON Schema of such a file. */
export function configJsonSchema(): object {
  return z.toJSONSchema(configSchema(), { io: "input", target: "draft-07" });
}

function folder(): z.ZodString {
  return z.string().regex(/^(?:\/|~\/)/, notTrace);
}

function alias(): z.ZodString {
  return z
    .string()
    .regex(/^[A-Za-z0-9][\w.-]*$/, "is no name for a model: use letters, digits, dots, dashes and underscores")
    .refine((name) => name !== "offline", "is a name that is taken");
}

function globs(): z.ZodArray<z.ZodString> {
  return z.array(glob(), "must be a list of globs").max(maxGlobs, `must not hold more than ${maxGlobs} globs`);
}

function commandRules(): z.ZodArray<z.ZodString> {
  return z
    .array(commandRule(), "must be a list of commands")
    .max(maxCommands, `must not hold more than ${maxCommands} commands`);
}
