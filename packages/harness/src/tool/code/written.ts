/** What a model is shown of the tools' inputs, written down: to make it from zod takes a start longer than all else. */

import type { Tool } from "../tool.ts";
import schemas from "./schemas.json" with { type: "json" };

const known: ReadonlyMap<string, object> = new Map(Object.entries(schemas));

/** The same tool with its schema as `schemas.json` has it. */
export function written(tool: Tool): Tool {
  const { name, description, wire, effect } = tool;
  const schema = known.get(name);
  if (schema === undefined) return tool;
  return {
    name,
    description,
    wire,
    effect,
    schema,
    parse: (input) => tool.parse(input),
    run: (input, context) => tool.run(input, context),
  };
}
