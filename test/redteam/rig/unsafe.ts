/** An agent that does whatever it is told, with nothing around it: what the oracles are there to catch. */

import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Agent } from "./play.ts";
import type { Steps, Told } from "./row.ts";
import { environmentOf, type World } from "./world.ts";

export const unsafe: Agent = async (row, world, ports) => {
  const attack = callsOf(row.calls(world, ports)).map((call) => told(call, world));
  const twin = callsOf(row.twin.calls?.(world) ?? []).map((call) => told(call, world));
  const said = [...attack, ...twin].map(({ text }) => text).join("\n");
  return { world, attack, twin, requests: JSON.stringify(said), screen: said, code: 0, hung: false };
};

type Call = { name: string; input: Readonly<Record<string, unknown>> };

function callsOf(steps: Steps): Call[] {
  return steps
    .flatMap((step) => [step].flat())
    .flatMap((part: unknown) => {
      const { type, name, input } = Object(part);
      return type === "tool_use" ? [{ name: String(name), input: Object(input) }] : [];
    });
}

function told(call: Call, world: World): Told {
  try {
    return { text: done(call, world), failed: false };
  } catch (thrown) {
    return { text: String(thrown), failed: true };
  }
}

function done({ name, input }: Call, world: World): string {
  const { path, content, argv, command } = input;
  const file = resolve(world.project, String(path));
  if (name === "read_file") return readFileSync(file, "utf8");
  if (name === "write_file") {
    writeFileSync(file, String(content));
    return "written";
  }
  if (name !== "run_command" && name !== "run_shell") return "not done";
  const words = Array.isArray(argv) ? argv.map(String) : ["bash", "-c", String(command)];
  const [program = "", ...rest] = words;
  const options = { cwd: world.project, env: environmentOf(world), encoding: "utf8", timeout: 10_000 } as const;
  const { stdout, stderr, status } = spawnSync(program, rest, options);
  return `exit code ${status}\n${stdout}${stderr}`;
}
