import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { needs } from "../../../../../test/support/needs.ts";
import { policyFrom } from "../../policy/rules.ts";
import { encloseProject, someRules } from "./enclosed.testing.ts";

const enclosed = test.runIf(process.platform === "linux" && needs("bwrap"));

const folder = fc.constantFrom(
  "src",
  ".ssh",
  ".vscode",
  ".github",
  "workflows",
  ".ENV",
  "a b",
  "ünï",
  "new\nline",
  "-x",
);
const file = fc.constantFrom(
  ".env",
  ".env.example",
  "x.PEM",
  "AGENTS.md",
  "agents.md",
  ".croft.json",
  "index.ts",
  "id",
  "'q\"",
);
const path = fc.tuple(fc.array(folder, { maxLength: 3 }), file).map(([folders, name]) => [...folders, name].join("/"));

/** For each path in the file "list", ended by NUL: whether it can be read, and opened for writing. */
const look = `
const fs = require("node:fs");
const can = (act) => { try { return act() === false ? "no" : "yes"; } catch { return "no"; } };
for (const path of fs.readFileSync("list", "utf8").split("\\0").slice(0, -1)) {
  const read = can(() => fs.readFileSync(path, "utf8") === "content");
  const write = can(() => fs.closeSync(fs.openSync(path, "r+")));
  process.stdout.write(path + "\\0" + read + " " + write + "\\0");
}`;

enclosed(
  "for every file, commands may read and write what the file tools may unasked",
  { timeout: 60_000 },
  async () => {
    const policy = policyFrom(someRules);
    const may = (path: string, access: "read" | "write"): string =>
      policy.judge(path, access).decision === "allow" ? "yes" : "no";
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(path, { minLength: 40, maxLength: 80 }), async (chosen) => {
        await using box = await encloseProject({ files: Object.fromEntries(chosen.map((path) => [path, "content"])) });
        writeFileSync(join(box.root, "list"), chosen.map((path) => `./${path}\0`).join(""));
        const { output } = await box.sh(`node -e '${look}'`);
        const found = output.split("\0").slice(0, -1);
        const expected = chosen.flatMap((path) => [`./${path}`, `${may(path, "read")} ${may(path, "write")}`]);
        expect(found).toEqual(expected);
        expect(await box.inspect()).toEqual([]);
      }),
      { numRuns: 8 },
    );
  },
);
