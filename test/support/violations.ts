/** One violation of each kind, for the guard test: which rule must object, with which words, to which line of code. */

/** Files count from `packages/harness/src/`, those of the CLI from `packages/`. */
export type Violation = { rule: string; words: RegExp; plant: Readonly<Record<string, string>> };

export const violations: readonly Violation[] = [
  {
    rule: "no-restricted-imports",
    words: /lies lower within workspace/,
    plant: {
      "workspace/text/upwards.ts": `export { listing } from "../walk/list.ts";`,
      "workspace/walk/upwards.ts": `export type { Hit } from "../search/hits.ts";`,
    },
  },
  {
    rule: "no-cycle",
    words: /cycle/i,
    plant: {
      "edit/value-a.ts": `export { b } from "./value-b.ts"; export const a = 1;`,
      "edit/value-b.ts": `export { a } from "./value-a.ts"; export const b = 1;`,
      "edit/type-a.ts": `import type { B } from "./type-b.ts"; export type A = { b: B };`,
      "edit/type-b.ts": `import type { A } from "./type-a.ts"; export type B = { a: A };`,
    },
  },
  {
    rule: "no-restricted-imports",
    words: /imports ports, never an adapter/,
    plant: {
      "agent/retry.ts": `export { retry } from "../model/retry.ts";`,
      "agent/wire.ts": `export { toWire } from "../model/anthropic/wire.ts";`,
      "agent/search.ts": `export { search } from "../tool/code/search.ts";`,
      "agent/citations.ts": `export { citations } from "../check/citations.ts";`,
      "agent/log.ts": `export { openLog } from "../session/log.ts";`,
      "agent/later.ts": `export const log: Promise<unknown> = import("../session/log.ts");`,
      "agent/deep/rules.ts": `export { rules } from "../../gate/rules.ts";`,
      "agent/deep/policy.ts": `export { presets } from "../../policy/presets.ts";`,
      "agent/deep/spawn.ts": `export { run } from "../../process/spawn.ts";`,
      "agent/deep/fence.ts": `export { openFence } from "../../workspace/fence/on-disk.ts";`,
    },
  },
  {
    rule: "no-restricted-imports",
    words: /Only assemblies name a concrete model/,
    plant: {
      "process/model.ts": `export { retry } from "../model/retry.ts";`,
      "check/model.ts": `export { offline } from "../model/offline/offline.ts";`,
    },
  },
  {
    rule: "no-restricted-imports",
    words: /does not know its neighbours/,
    plant: {
      "tool/session.ts": `export { openLog } from "../session/log.ts";`,
      "tool/code/check.ts": `export { citations } from "../../check/citations.ts";`,
      "check/tool.ts": `export { defineTool } from "../tool/tool.ts";`,
      "session/check.ts": `export type { Check } from "../check/check.ts";`,
      "model/policy.ts": `export type { Policy } from "../policy/policy.ts";`,
      "gate/model.ts": `export type { Model } from "../model/model.ts";`,
    },
  },
  {
    rule: "no-restricted-imports",
    words: /workspace\/ alone touches the project's files/,
    plant: {
      "tool/files.ts": `export { rmSync } from "node:fs";`,
      "agent/files.ts": `export { rm } from "node:fs/promises";`,
      "preset/files.ts": `export { rm } from "fs/promises";`,
      "check/files.ts": `export const files: Promise<unknown> = import("node:fs");`,
      "process/files.ts": `export { rm } from "node:fs/promises";`,
      "process/proxy/files.ts": `export { rm } from "node:fs/promises";`,
    },
  },
  {
    rule: "no-restricted-imports",
    words: /process\/ alone starts programs/,
    plant: {
      "tool/program.ts": `export { spawn } from "node:child_process";`,
      "workspace/program.ts": `export { spawn } from "child_process";`,
      "session/worker.ts": `export { Worker } from "node:worker_threads";`,
      "cli/src/program.ts": `export { spawn } from "node:child_process";`,
      "cli/src/ui/program.ts": `export { spawn } from "node:child_process";`,
    },
  },
  {
    rule: "no-restricted-imports",
    words: /model\/ alone reaches the network/,
    plant: {
      "tool/https.ts": `export { get } from "node:https";`,
      "process/net.ts": `export { connect } from "node:net";`,
      "preset/dns.ts": `export { lookup } from "node:dns/promises";`,
      "cli/src/http.ts": `export { get } from "node:http";`,
    },
  },
  {
    rule: "no-restricted-globals",
    words: /fetch|WebSocket/,
    plant: {
      "tool/fetch.ts": `export const get = (): unknown => fetch("http://localhost");`,
      "agent/socket.ts": `export const open = (): unknown => new WebSocket("ws://localhost");`,
      "cli/src/fetch.ts": `export const get = (): unknown => fetch("http://localhost");`,
    },
  },
  {
    rule: "no-restricted-properties",
    words: /Use the plain name/,
    plant: {
      "tool/global.ts": `export const get = (): unknown => globalThis.fetch("http://localhost");`,
      "tool/global-env.ts": `export const home = (): unknown => globalThis.process.pid;`,
    },
  },
  {
    rule: "no-restricted-properties",
    words: /Import it, so that the floors see it/,
    plant: { "tool/builtin.ts": `export const files: unknown = process.getBuiltinModule("node:fs");` },
  },
  {
    rule: "no-restricted-imports",
    words: /it leads round the other rules/,
    plant: {
      "tool/require.ts": `export { createRequire } from "node:module";`,
      "tool/env.ts": `export { env } from "node:process";`,
    },
  },
  {
    rule: "no-require-imports",
    words: /require/,
    plant: { "tool/cjs.ts": `export const files: unknown = require("node:fs");` },
  },
  {
    rule: "no-dynamic-require",
    words: /literal/,
    plant: { "tool/computed.ts": "export const load = (name: string): unknown => import(`${name}.ts`);" },
  },
  {
    rule: "consistent-type-imports",
    words: /import\(\)/,
    plant: { "policy/annotation.ts": `export type Turn = import("../agent/turn.ts").RunningTurn;` },
  },
  {
    rule: "no-process-env",
    words: /process\.env/,
    plant: { "model/env.ts": `export const key = process.env["KEY"];` },
  },
  {
    rule: "no-restricted-properties",
    words: /belong to the CLI/,
    plant: {
      "preset/env.ts": `export const { env } = process;`,
      "testing/screen.ts": `export const screen = process.stdout;`,
    },
  },
  {
    rule: "no-console",
    words: /console/,
    plant: {
      "gate/console.ts": `export const say = (): void => console.log("x");`,
      "cli/src/console.ts": `export const say = (): void => console.error("x");`,
    },
  },
  {
    rule: "no-floating-promises",
    words: /promise/i,
    plant: { "edit/floating.ts": `export function start(): void { Promise.resolve(1); }` },
  },
  {
    rule: "no-default-export",
    words: /default/,
    plant: { "edit/default.ts": `export default 1;` },
  },
  {
    rule: "no-explicit-any",
    words: /any/,
    plant: { "edit/any.ts": `export type Bag = any;` },
  },
  {
    rule: "no-non-null-assertion",
    words: /non-null/i,
    plant: { "edit/bang.ts": `export const first = (list: readonly string[]): string => list[0]!;` },
  },
  {
    rule: "no-restricted-imports",
    words: /The CLI uses the public surface/,
    plant: {
      "cli/src/inside.ts": `export { runTurn } from "../../harness/src/agent/loop.ts";`,
      "cli/src/ui/inside.ts": `export { runTurn } from "../../../harness/src/agent/loop.ts";`,
    },
  },
  {
    rule: "no-restricted-imports",
    words: /draws what it is given/,
    plant: { "cli/src/ui/upwards.ts": `export { ask } from "../command/ask.ts";` },
  },
  {
    rule: "no-restricted-imports",
    words: /what commands and a chat open/,
    plant: { "cli/src/session/upwards.ts": `export { runChat } from "../chat/chat.ts";` },
  },
  {
    rule: "no-restricted-imports",
    words: /A chat is no command/,
    plant: { "cli/src/chat/commands/upwards.ts": `export { ask } from "../../command/ask.ts";` },
  },
  {
    rule: "no-restricted-imports",
    words: /ui\/ touches no files/,
    plant: { "cli/src/ui/files.ts": `export { rmSync } from "node:fs";` },
  },
  {
    rule: "no-restricted-imports",
    words: /does not import itself by name/,
    plant: { "check/self.ts": `export { Failure } from "@croft/harness";` },
  },
  {
    rule: "no-restricted-imports",
    words: /shortest relative path/,
    plant: {
      "policy/dot.ts": `export { runTurn } from "./../agent/loop.ts";`,
      "policy/about.ts": `export { runTurn } from "../policy/../agent/loop.ts";`,
      "policy/outside.ts": `export { runTurn } from "../../src/agent/loop.ts";`,
    },
  },
];
