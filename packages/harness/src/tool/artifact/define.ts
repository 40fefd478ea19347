/** How the artifact tools are made: like others, with failures told under the codes of this toolset. */

import { z } from "zod";
import { narrated } from "../../artifact/outcome.ts";
import { asFailure, Failure } from "../../error.ts";
import { changesNothing, defineTool, type Tool, type ToolDefinition } from "../tool.ts";
import { text, wholeNumber } from "../code/input.ts";

/** Throws only Failures that `narrated` gives, and the signal's reason. */
export function artifactTool<Schema extends z.ZodType>(definition: ToolDefinition<Schema>): Tool<z.output<Schema>> {
  return narratedTool(defineTool(definition));
}

/** A tool of another kind under the codes of this toolset; its schema is still worked out when it is first looked at. */
export function narratedTool<Input>(tool: Tool<Input>): Tool<Input> {
  return {
    name: tool.name,
    description: tool.description,
    wire: tool.wire,
    effect: tool.effect,
    changesNothing: (input) => changesNothing(tool, input),
    get schema() {
      return tool.schema;
    },
    parse(input) {
      try {
        return tool.parse(input);
      } catch (thrown) {
        throw narrated(asFailure(thrown));
      }
    },
    async run(input, context) {
      try {
        return await tool.run(input, context);
      } catch (thrown) {
        if (context.signal.aborted && !(thrown instanceof Failure)) throw thrown;
        throw narrated(asFailure(thrown));
      }
    },
  };
}

/** An object with these fields and no others; `refused` says of fields that others might expect what to do instead. */
export function strict<Shape extends z.core.$ZodLooseShape>(
  shape: Shape,
  refused: Readonly<Record<string, string>> = {},
): z.ZodObject<Shape, z.core.$strict> {
  return z.strictObject(shape, {
    error(issue) {
      if (issue.code !== "unrecognized_keys") return undefined;
      return (issue.keys as readonly string[])
        .map((key) => `${key}: ${refused[key] ?? "there is no such field"}`)
        .join("; ");
    },
  });
}

/** Of an open file. */
export function artifactId(): z.ZodString {
  return text();
}

/** Explicit, it is at least 1; there is no most. */
export function atLeastOne(): z.ZodOptional<z.ZodInt> {
  return wholeNumber(1, Number.MAX_SAFE_INTEGER).optional();
}
