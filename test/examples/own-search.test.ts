import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openArtifactTools, policyGate } from "@croft/harness";
import { searchConformance } from "@croft/harness/testing";
import { indexed } from "../../examples/own-search.ts";

test.for(searchConformance)("the index does what a backend has to: $name", ({ run }) =>
  run((files) => {
    const index = { files: new Map(Object.entries(files)), isIgnored: (path: string) => path.endsWith(".log") };
    return { backend: indexed(index), cwd: "/" };
  }),
);

test("what the index proposes is shown as it stands in the file, and what is not there is not shown", async () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "croft-example-")));
  onTestFinished(() => rmSync(root, { recursive: true }));
  writeFileSync(join(root, "a.txt"), "one needle here\nno\n");
  const files = new Map([
    ["a.txt", "one needle here\nno\n"],
    ["gone.txt", "a needle\n"],
  ]);
  const search = indexed({ files, isIgnored: () => false });
  const tools = await openArtifactTools({ root, gate: policyGate(), search });
  onTestFinished(() => tools.close());
  const { content } = await tools.call("search_files", { pattern: "needle" }, new AbortController().signal);
  expect(content).toEqual([{ type: "text", text: "a.txt:1: one needle here" }]);
});
