import { expect, test } from "vitest";
import { specOf } from "../tool/tool.ts";
import { presetOf, toolsetNamed, toolsetNames } from "./toolsets.ts";

test.each(toolsetNames)("a session of %s is known by its tools, whether it runs programs or not", async (name) => {
  const toolset = await toolsetNamed(name);
  const all = toolset.assembly(
    new Set([...toolset.files(), "run_command", "run_shell", "bash", "todo", "explore"]),
  ).tools;
  const files = toolset.assembly(new Set(toolset.files())).tools;
  expect(files.map((tool) => tool.name)).toEqual(toolset.files());
  for (const tools of [all, files]) {
    const setup = { budget: { steps: 1, tokens: 1, ms: 1 }, maxTokens: 1, system: [], tools: tools.map(specOf) };
    expect(presetOf({ setup })).toBe(name);
  }
});
