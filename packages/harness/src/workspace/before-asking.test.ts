import { expect, onTestFinished, test } from "vitest";
import { strictGate } from "../gate/rules.ts";
import { codePolicy } from "../policy/presets.ts";
import type { Fence } from "./fence.ts";
import { openFence } from "./fence/on-disk.ts";
import { plantTree } from "./tree.testing.ts";
import { openWorkspace, type Workspace } from "./workspace.ts";

const never = new AbortController().signal;

/** One use of every door. */
const doors: readonly [name: string, use: (workspace: Workspace) => Promise<unknown>][] = [
  ["read", (workspace) => workspace.read("a", never)],
  ["look", (workspace) => workspace.look("a", never)],
  ["open", (workspace) => workspace.open("a", never)],
  ["source", (workspace) => workspace.source("a", never)],
  ["list", (workspace) => Array.fromAsync(workspace.list(".", {}, never))],
  ["find", (workspace) => Array.fromAsync(workspace.find({ glob: "*" }, never))],
  ["search", (workspace) => Array.fromAsync(workspace.search({ pattern: "x" }, never))],
  ["commit", (workspace) => workspace.commit([{ path: "a", before: null, after: Buffer.from("x") }], never)],
];

/** A fence that must not be used, and what was used of it. */
function untouchable(): { fence: Fence; used: string[] } {
  const tree = plantTree({ a: "x\n" });
  const fence = openFence(tree.root, codePolicy());
  onTestFinished(() => {
    fence.close();
    tree.remove();
  });
  const used: string[] = [];
  const watched = new Proxy(fence, {
    get(target, property, receiver) {
      if (property !== "root" && property !== "policy") used.push(String(property));
      return Reflect.get(target, property, receiver);
    },
  });
  return { fence: watched, used };
}

const search = { name: "none", supportsFollow: false, search: () => expect.unreachable("searched") };

test.each(doors)("%s looks at nothing before it is decided upon", async (_, use) => {
  const { fence, used } = untouchable();
  const decision = Promise.withResolvers<{ allowed: boolean }>();
  const gate = strictGate(() => decision.promise);
  const opened = use(openWorkspace({ fence, gate, search, strict: true }));
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(used).toEqual([]);
  decision.resolve({ allowed: false });
  await expect(opened).rejects.toMatchObject({ code: "E_REFUSED" });
  expect(used).toEqual([]);
});

test.each(doors)("%s is refused at once where nobody decides", async (_, use) => {
  const { fence, used } = untouchable();
  await expect(use(openWorkspace({ fence, gate: strictGate(), search, strict: true }))).rejects.toMatchObject({
    code: "E_REFUSED",
    message: expect.stringContaining("nobody can be asked"),
  });
  expect(used).toEqual([]);
});
