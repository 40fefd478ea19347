import { describe, test } from "vitest";
import { hasBeneath, openBeneath } from "../workspace/place/beneath.ts";
import { openChecked } from "../workspace/place/checked.ts";
import { fenceBy } from "../workspace/fence/on-disk.ts";
import { openMemoryFence } from "../workspace/fence/in-memory.ts";
import { plantTree } from "../workspace/tree.testing.ts";
import { fenceConformance } from "./fence-conformance.ts";

describe("memory", () => {
  test.for(fenceConformance)("$name", ({ run }) => run(openMemoryFence));
});

describe.each([
  { name: "beneath", mechanism: openBeneath, here: hasBeneath() },
  { name: "checked", mechanism: openChecked, here: true },
])("$name", ({ mechanism, here }) => {
  test.runIf(here).for(fenceConformance)("$name", async ({ run }) => {
    let remove = (): void => {};
    try {
      await run((files, policy) => {
        const tree = plantTree(files);
        remove = tree.remove;
        return fenceBy(mechanism, tree.root, policy);
      });
    } finally {
      remove();
    }
  });
});
