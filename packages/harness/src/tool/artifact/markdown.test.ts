import { expect, test } from "vitest";
import { artifactRig } from "../../preset/artifact-rig.testing.ts";

const readme =
  "# Guide\nIntro.\n## Install\n```sh\n# not a heading\n```\n## Use\nText.\n### Deep\nMore.\n# Licence\nMIT\n";

test("headings are listed, and sections shown by number or by heading", async () => {
  const { doors, call, open } = await artifactRig({ "README.md": readme });
  const id = await open("open_markdown_file", { path: "README.md" });
  expect(await call("artifact_md_headings", { artifact_id: id })).toBe(
    "1  line 1  # Guide\n1.1  line 3  ## Install\n1.2  line 7  ## Use\n1.2.1  line 9  ### Deep\n2  line 11  # Licence",
  );
  expect(await call("artifact_md_headings", { artifact_id: id, max_level: 1 })).toBe(
    "1  line 1  # Guide\n2  line 11  # Licence",
  );
  expect(await call("artifact_md_sections", { artifact_id: id, sections: ["1.2", "Licence"] })).toBe(
    "1.2 Use\n7\t## Use\n8\tText.\n9\t### Deep\n10\tMore.\n2 Licence\n11\t# Licence\n12\tMIT",
  );
  expect([1, 6, 7, 10, 11, 12].filter((line) => doors.ledger.has("README.md", line))).toEqual([7, 10, 11, 12]);
  expect(await call("artifact_md_sections", { artifact_id: id, sections: ["Usage"] })).toBe(
    '[E_SANDBOX_NOT_FOUND, not-found] README.md has no section "Usage". Use a number or an exact heading as artifact_md_headings gives them.',
  );
});

test("a section longer than a result names where to go on", async () => {
  const { call, open } = await artifactRig({ "a.md": `# A\n${`${"x".repeat(999)}\n`.repeat(50)}# B\n` });
  const id = await open("open_markdown_file", { path: "a.md" });
  const shown = await call("artifact_md_sections", { artifact_id: id, sections: ["A"] });
  expect(shown.split("\n").at(-1)).toBe("(go on with artifact_cat, start 31)");
});

test("a file without headings says so", async () => {
  const { call, open } = await artifactRig({ "a.md": "text\n" });
  const id = await open("open_markdown_file", { path: "a.md" });
  expect(await call("artifact_md_headings", { artifact_id: id })).toBe("No headings.");
});

test("a file that is nothing but headings is listed in time that grows with it, and as many sections shown as fit", async () => {
  const { call, open } = await artifactRig({ "a.md": `# A\n${"## b\n".repeat(100_000)}` });
  const id = await open("open_markdown_file", { path: "a.md" });
  expect(await call("artifact_md_headings", { artifact_id: id })).toMatch(/of 100001 lines are shown; all are kept/);
  const shown = await call("artifact_md_sections", { artifact_id: id, sections: ["b"] });
  expect(shown.slice(0, 38)).toBe("1.1 b\n2\t## b\n1.2 b\n3\t## b\n1.3 b\n4\t## b");
  expect(shown.split("\n").at(-1)).toBe("(of 100000 sections these 200 are shown: ask for others by number)");
});
