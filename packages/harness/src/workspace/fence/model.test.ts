/** Random trees and random paths: the fence against what the kernel's own lookup says. */

import { readFileSync, realpathSync, statSync } from "node:fs";
import path from "node:path";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { asFailure } from "../../error.ts";
import { policyFrom } from "../../policy/rules.ts";
import { hasBeneath, openBeneath } from "../place/beneath.ts";
import { openChecked } from "../place/checked.ts";
import { fenceBy } from "./on-disk.ts";
import { openDescriptors, plantTree, type Planted, type Tree } from "../tree.testing.ts";

const policy = policyFrom([{ name: "all", globs: ["**"], access: ["read"], decision: "allow" }]);

const name = fc.constantFrom("a", "b", "c");
const step = fc.constantFrom("a", "b", "c", "..", ".", "", "secret.txt", "outside", "root");
const place = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join("/"));
const steps = fc.array(step, { minLength: 1, maxLength: 5 }).map((names) => names.join("/"));
const target = fc
  .tuple(fc.constantFrom("", "", "ROOT/", "OUTSIDE/", "../", "/"), steps)
  .map(([base, rest]) => base + rest);
const planted = fc.oneof(
  fc.string().map((text): Planted => text),
  target.map((link): Planted => ({ link: link || "." })),
);
/** Later entries that do not fit the earlier ones are left out. */
const entries = fc.array(fc.tuple(place, planted), { maxLength: 8 }).map((all) => {
  const fitting: [string, Planted][] = [];
  for (const [path, content] of all) {
    if (fitting.every(([other]) => !`${other}/`.startsWith(`${path}/`) && !`${path}/`.startsWith(`${other}/`))) {
      fitting.push([path, content]);
    }
  }
  return Object.fromEntries(fitting);
});
const asked = fc.tuple(fc.constantFrom("", "", "", "ROOT/", "/"), steps).map(([base, rest]) => base + rest || ".");

type Answer = { path: string; text: string | undefined } | string;

/** By realpath, in a tree that nobody changes. */
function expected({ root }: Tree, asked: string): Answer {
  const beneath = asked.startsWith(`${root}/`) ? asked.slice(root.length).replace(/^\/+/u, "") || "." : asked;
  if (beneath.startsWith("/") || path.posix.normalize(beneath).startsWith("..") || climbs(beneath))
    return "E_OUTSIDE_ROOT";
  try {
    const real = realpathSync.native(`${root}/${beneath}`);
    if (real !== root && !real.startsWith(`${root}/`)) return "E_NOT_FOUND";
    const text = statSync(real).isFile() ? readFileSync(real, "utf8") : undefined;
    return { path: path.relative(root, real) || ".", text };
  } catch {
    return "E_NOT_FOUND";
  }
}

function climbs(asked: string): boolean {
  const names = asked.split("/");
  return names.some((_, index) => path.posix.normalize(names.slice(0, index + 1).join("/") || ".").startsWith(".."));
}

test.runIf(process.platform !== "win32").each([
  { name: "beneath", open: openBeneath, here: hasBeneath() },
  { name: "checked", open: openChecked, here: true },
])("$name agrees with the kernel inside, and never goes outside", ({ open, here }) => {
  if (!here) return;
  const before = openDescriptors();
  const property = fc.property(entries, fc.array(asked, { minLength: 1, maxLength: 12 }), (entries, paths) => {
    const tree = plantTree(entries);
    const fence = fenceBy(open, tree.root, policy);
    const answer = (asked: string): Answer => {
      try {
        using found = fence.pin(asked, "read");
        const text =
          found.kind === "file"
            ? new TextDecoder("utf-8", { ignoreBOM: true }).decode(fence.content(found, 1e6))
            : undefined;
        return { path: found.path, text };
      } catch (thrown) {
        return asFailure(thrown).code;
      }
    };
    try {
      const all = paths.map((one) => one.replace("ROOT", tree.root));
      expect(all.map(answer)).toEqual(all.map((one) => expected(tree, one)));
    } finally {
      fence.close();
      tree.remove();
    }
  });
  fc.assert(property, { numRuns: 100 });
  expect(openDescriptors()).toBe(before);
});
