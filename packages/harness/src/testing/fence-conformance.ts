/** What every fence must do, as named cases that throw when it does not. They need no test runner: call each in one. */

import { deepEqual, equal, rejects, throws } from "node:assert/strict";
import type { Policy } from "../policy/policy.ts";
import { policyFrom } from "../policy/rules.ts";
import type { Fence, ListOptions } from "../workspace/fence.ts";
import { writingCases, writingFiles, writingPolicy } from "./fence-writing.ts";

/** A fence around exactly these files (paths relative to the root), under this policy. The case closes it. */
export type OpenForCase = (files: Readonly<Record<string, string>>, policy: Policy) => Fence | Promise<Fence>;
export type FenceCase = { readonly name: string; readonly run: (open: OpenForCase) => Promise<void> };

const policy = policyFrom([
  { name: "project files", globs: ["**"], access: ["read"], decision: "allow" },
  { name: "secrets", globs: [".env", "secrets"], access: ["read"], decision: "deny" },
  { name: "drafts", globs: ["*.draft"], access: ["read"], decision: "ask" },
]);

const files = {
  ".gitignore": "*.log\n",
  ".env": "KEY=1",
  "README.md": "read me",
  "a.log": "",
  "docs/b.draft": "draft",
  "secrets/key": "key",
  "src/deep/c.ts": "c",
  "src/a.ts": "0123456789",
  "src.md": "",
};

const refusals: readonly [path: string, code: string][] = [
  ["", "E_EMPTY_PATH"],
  ["a\0b", "E_BAD_PATH"],
  ["a\ud800", "E_BAD_PATH"],
  ["x".repeat(5000), "E_PATH_TOO_LONG"],
  ["/elsewhere", "E_OUTSIDE_ROOT"],
  ["..", "E_OUTSIDE_ROOT"],
  ["src/../../src/a.ts", "E_OUTSIDE_ROOT"],
  ["~/x", "E_HOME_PATH"],
  ["C:\\x", "E_DRIVE_PATH"],
  ["\\\\host\\share", "E_NETWORK_PATH"],
  ["\\\\.\\pipe\\x", "E_DEVICE_PATH"],
  ["nowhere", "E_NOT_FOUND"],
  ["README.md/x", "E_NOT_FOUND"],
  ["README.md/", "E_NOT_FOUND"],
  ["README.md/../src.md", "E_NOT_FOUND"],
  [".env", "E_DENIED"],
  ["src/../secrets/key", "E_DENIED"],
];

/** The cases for a `Fence`, in the order in which they are best read. */
export const fenceConformance: readonly FenceCase[] = [
  ...refusals.map(([path, code]) =>
    fenceCase(`pinning ${JSON.stringify(path.slice(0, 30))} is ${code}`, (fence) => {
      throws(() => fence.pin(path, "read"), { name: "Failure", code });
    }),
  ),

  fenceCase("a pin tells where it leads, what is there and what the policy says", (fence) => {
    using file = fence.pin("./src/../docs//b.draft", "read");
    const { path, kind, size, verdict } = file;
    deepEqual(
      { path, kind, size, verdict },
      { path: "docs/b.draft", kind: "file", size: 5, verdict: { decision: "ask", rule: "drafts" } },
    );
    const places = ["src/", ".", fence.root, `${fence.root}/src/a.ts`].map((asked) => {
      using place = fence.pin(asked, "list");
      return [place.path, place.kind];
    });
    deepEqual(places, [
      ["src", "directory"],
      [".", "directory"],
      [".", "directory"],
      ["src/a.ts", "file"],
    ]);
  }),

  fenceCase("a file is read whole up to a limit, and in parts without one", async (fence) => {
    using file = fence.pin("src/a.ts", "read");
    equal(Buffer.from(fence.content(file, 10)).toString(), "0123456789");
    throws(() => fence.content(file, 9), { code: "E_TOO_LARGE" });
    const part = async (range?: { start: number; end: number }) =>
      Buffer.concat(await Array.fromAsync(fence.bytes(file, range))).toString();
    equal(await part(), "0123456789");
    equal(await part({ start: 2, end: 5 }), "234");
    equal(await part({ start: 8, end: 100 }), "89");
    equal(await part({ start: 20, end: 30 }), "");
  }),

  fenceCase("a folder is no file and a file no folder", async (fence) => {
    using folder = fence.pin("src", "read");
    using file = fence.pin("src/a.ts", "read");
    throws(() => fence.content(folder, 10), { code: "E_IS_FOLDER" });
    await rejects(Array.fromAsync(fence.bytes(folder)), { code: "E_IS_FOLDER" });
    await rejects(listed(fence, "src/a.ts", {}), { code: "E_NOT_FOLDER" });
    throws(() => fence.cwd(file), { code: "E_NOT_FOLDER" });
  }),

  fenceCase("what is no longer pinned, or was not pinned by this fence, is not read", (fence) => {
    const file = fence.pin("src/a.ts", "read");
    throws(() => fence.content({ ...file }, 100), { code: "E_RELEASED" });
    file[Symbol.dispose]();
    throws(() => fence.content(file, 100), { code: "E_RELEASED" });
  }),

  fenceCase("a listing is in path order, without what is denied, and says what was ignored", async (fence) => {
    deepEqual(await listed(fence, ".", {}), [
      { path: ".gitignore", kind: "file" },
      { path: "README.md", kind: "file" },
      { path: "docs", kind: "directory" },
      { path: "docs/b.draft", kind: "file" },
      { path: "src", kind: "directory" },
      { path: "src/a.ts", kind: "file" },
      { path: "src/deep", kind: "directory" },
      { path: "src/deep/c.ts", kind: "file" },
      { path: "src.md", kind: "file" },
      { done: true, complete: true, skipped: "1 ignored (.gitignore and the like)" },
    ]);
  }),

  fenceCase("a listing can be narrowed by depth and glob", async (fence) => {
    const done = { done: true, complete: true, skipped: undefined };
    deepEqual(await listed(fence, "src", { depth: 1 }), [
      { path: "src/a.ts", kind: "file" },
      { path: "src/deep", kind: "directory" },
      done,
    ]);
    deepEqual(await listed(fence, "src", { glob: "*.ts" }), [
      { path: "src/a.ts", kind: "file" },
      { path: "src/deep/c.ts", kind: "file" },
      done,
    ]);
    await rejects(listed(fence, "src", { glob: "../*" }), { code: "E_BAD_GLOB" });
  }),

  fenceCase("an aborted listing throws the reason", async (fence) => {
    using folder = fence.pin(".", "list");
    const reason = new Error("enough");
    await rejects(Array.fromAsync(fence.list(folder, {}, AbortSignal.abort(reason))), reason);
  }),

  ...writingCases.map(({ name, check }) => fenceCase(name, check, { files: writingFiles, policy: writingPolicy })),
];

type World = { readonly files: Readonly<Record<string, string>>; readonly policy: Policy };

function fenceCase(
  name: string,
  check: (fence: Fence) => Promise<void> | void,
  world: World = { files, policy },
): FenceCase {
  return {
    name,
    run: async (open) => {
      const fence = await open(world.files, world.policy);
      try {
        await check(fence);
      } finally {
        fence.close();
      }
    },
  };
}

async function listed(fence: Fence, path: string, options: ListOptions): Promise<unknown[]> {
  using folder = fence.pin(path, "list");
  return await Array.fromAsync(fence.list(folder, options, new AbortController().signal));
}
