import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { needs } from "../../../../../test/support/needs.ts";
import { Failure } from "../../error.ts";
import { startProgram } from "../../process/spawn.ts";
import { encloseProject, never } from "./enclosed.testing.ts";

const launches = 25;

/** Swaps folders that hold protected places, and places like them, for links; as fast as it can. */
const swap = `
while :; do
  mv sub away 2>/dev/null && { ln -s / sub; rm sub; mv away sub; }
  mkdir -p new/.vscode 2>/dev/null; mv new old 2>/dev/null; ln -s $1 new 2>/dev/null; rm -f new; rm -rf old
  ln -sfn / .vscode 2>/dev/null; rm -f .vscode
done`;

const look = `cat sub/.env away/.env new/canary.txt .vscode/etc/shadow 2>/dev/null
  echo x 2>/dev/null > sub/AGENTS.md; echo ran`;

test.runIf(process.platform === "linux" && needs("bwrap"))(
  "a command that swaps folders for links while others start leads none of them astray",
  async () => {
    await using box = await encloseProject({ files: { "sub/.env": "canary", "sub/AGENTS.md": "mine" } });
    const argv = ["bash", "-c", swap, "bash", box.outside] as const;
    await using launch = await box.enclosure.launch({ argv, cwd: ".", profile: "plain", hosts: [] }, never);
    await using _ = await startProgram(launch, never);
    const outputs = new Set<string>();
    for (let n = 0; n < launches; n++) {
      // What appears again and again as it is taken away is a reason not to start.
      const output = await box.sh(look).then(
        ({ output }) => output,
        (thrown: unknown) => (thrown instanceof Failure ? thrown.code : String(thrown)),
      );
      outputs.add(output);
      await box.inspect();
    }
    expect(outputs).toContain("ran");
    expect([...outputs].filter((output) => output !== "ran" && output !== "E_UNPROTECTABLE")).toEqual([]);
    expect(readFileSync(join(box.root, "sub/AGENTS.md"), "utf8")).toBe("mine");
    expect(readFileSync(join(box.root, "sub/.env"), "utf8")).toBe("canary");
    expect(readdirSync(box.outside)).toEqual(["canary.txt"]);
  },
);
