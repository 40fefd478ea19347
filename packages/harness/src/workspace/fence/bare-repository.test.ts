import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Change } from "../change.ts";
import { policyFrom } from "../../policy/rules.ts";
import { plantTree } from "../tree.testing.ts";
import { openFence } from "./on-disk.ts";

const everything = policyFrom([{ name: "all", globs: ["**"], access: ["read", "write"], decision: "allow" }]);
const create = (path: string): Change => ({ path, before: null, after: new TextEncoder().encode("x\n") });

function project(files: Readonly<Record<string, string>>) {
  const tree = plantTree({ "README.md": "x\n", ...files });
  const fence = openFence(tree.root, everything);
  onTestFinished(() => {
    fence.close();
    tree.remove();
  });
  const apply = async (...paths: string[]): Promise<void> => {
    using plan = await fence.plan(paths.map(create));
    plan.apply();
  };
  return { root: tree.root, apply };
}

test("what would make a folder a repository is refused, whether in one step or in several", async () => {
  const { root, apply } = project({});
  const whole = ["r/HEAD", "r/objects/x", "r/refs/x", "r/config"];
  await expect(apply(...whole)).rejects.toThrow('"r/HEAD" is protected: with it, git takes "r" for a repository.');
  await apply("r/HEAD", "r/config", "r/objects/x");
  await expect(apply("r/refs/heads/x")).rejects.toThrow(/git takes "r" for a repository/);
  await expect(apply("HEAD", "refs/x", "objects/x")).rejects.toThrow(/git takes the project folder for a repository/);
  expect(existsSync(join(root, "r/refs"))).toBe(false);
});

test("settings and hooks of one that is there are refused; files beside them, and the like elsewhere, are not", async () => {
  const { root, apply } = project({});
  for (const folder of ["r/objects", "r/refs"]) mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, "r/HEAD"), "ref: refs/heads/main\n");
  for (const path of ["r/config", "r/hooks/post-checkout", "r/info/attributes"]) {
    await expect(apply(path)).rejects.toThrow(/is protected/);
  }
  await apply("r/notes.txt", "src/refs/a.ts", "src/objects/b.ts", "src/config", "hooks/use.ts", "HEAD");
  expect(existsSync(join(root, "src/refs/a.ts"))).toBe(true);
});
