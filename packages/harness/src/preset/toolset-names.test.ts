import { expect, test } from "vitest";
import { presetOf, toolsetNames } from "./toolset-names.ts";
import { loadToolset } from "./toolsets.ts";

test.each(toolsetNames)("%s is told by the names of its tools, whether or not they run programs", async (name) => {
  const toolset = await loadToolset(name);
  const files = toolset.files();
  const all = [...files, "run_command", "start_process", "read_process", "stop_process", "explore", "todo"];
  const told = [files, all].map((names) => presetOf({ setup: toolset.assembly(new Set(names)) }));
  expect(told).toEqual([name, name]);
});

test("a turn of which nothing is known only looked", () => {
  expect(presetOf({})).toBe("ask");
});
