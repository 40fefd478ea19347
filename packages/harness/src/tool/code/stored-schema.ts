/** What a model is shown of the tools' inputs, stored: making it with zod takes longer than all the rest of a start. */

import { toolWith, type Tool } from "../tool.ts";
import schemas from "./schemas.json" with { type: "json" };

const known: ReadonlyMap<string, object> = new Map(Object.entries(schemas));

/** The same tool with its schema as `schemas.json` has it. */
export function withStoredSchema(tool: Tool): Tool {
  const schema = known.get(tool.name);
  return schema === undefined ? tool : toolWith(tool, { schema });
}
