import { afterEach, beforeEach, expect } from "vitest";
import type { Fence } from "../fence.ts";
import { openDescriptors, plantTree, type Planted, type Tree } from "../tree.testing.ts";

export type Fenced = (
  entries: Readonly<Record<string, Planted>>,
  open: (tree: Tree) => Fence,
) => { tree: Tree; fence: Fence };

/** A planted tree and its fence for each test of a suite; both are gone behind it, and no descriptor is left open. */
export function fencedTrees(): Fenced {
  let descriptors: number;
  let tree: Tree | undefined;
  let fence: Fence | undefined;

  beforeEach(() => {
    descriptors = openDescriptors();
  });

  afterEach(() => {
    fence?.close();
    tree?.remove();
    tree = fence = undefined;
    expect(openDescriptors()).toBe(descriptors);
  });

  return (entries, open) => {
    const planted = plantTree(entries);
    tree = planted;
    const opened = open(planted);
    fence = opened;
    return { tree: planted, fence: opened };
  };
}
