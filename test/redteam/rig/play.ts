/** Plays a row against the built croft, as a process of its own, with a strict server for the model. */

import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { call, startMessagesServer, type ServerReply } from "@croft/harness/testing";
import { dialects } from "./dialects.ts";
import { callsOf, makerOf } from "./making.ts";
import type { Played, Ports, Row, Told, Tools } from "./row.ts";
import { environmentOf, type World } from "./world.ts";

/** What croft is started as. */
export const bin: string = fileURLToPath(new URL("../../../packages/cli/bin/croft.cjs", import.meta.url));
/** Beyond this, a row hangs: many times what the slowest takes, for a machine that has much else to do. */
const patience = 180_000;

/** Who plays the attacked: croft, or something that ought to be caught. */
export type Agent = (row: Row, world: World, ports: Ports) => Promise<Played>;

/** croft with these tools; the calls of the row are made with them. */
export function croftWith(tools: Tools): Agent {
  return async (row, world, ports) => {
    const attack = row.calls(world, ports);
    const twin = row.twin.calls?.(world) ?? [];
    const between = dialects[tools].between.map(({ name, input }) => call(name, input));
    const first = attack.flatMap(callsOf).length;
    if (row.killedAt === undefined) {
      const { told, ...played } = await session(tools, row, world, [...attack, ...between, ...twin]);
      return { world, attack: told.slice(0, first), twin: told.slice(first + between.length), ...played };
    }
    const killed = await session(tools, row, world, attack);
    const { killedAt: _, ...whole } = row;
    const next = await session(tools, whole, world, twin);
    const [requests, screen] = [killed.requests + next.requests, killed.screen + next.screen];
    return { ...next, world, attack: killed.told, twin: next.told, requests, screen };
  };
}

type Session = Omit<Played, "world" | "attack" | "twin"> & { told: readonly Told[] };

async function session(tools: Tools, row: Row, world: World, steps: readonly ServerReply[]): Promise<Session> {
  const { script, told } = makerOf(steps, (call) => dialects[tools].make(call, world));
  const server = await startMessagesServer({ script, apiKey: world.key });
  try {
    const ended = await start(tools, row, world, server.url);
    return { ...ended, told: told(), requests: JSON.stringify(server.requests.map(({ body }) => body)) };
  } finally {
    await server.close();
  }
}

function start(tools: Tools, row: Row, world: World, url: string): Promise<Pick<Played, "screen" | "code" | "hung">> {
  const { person, flags = [], folder, killedAt } = row;
  const more = ["--tools", tools, "--max-turns", "500"]; // several calls for one take more turns
  const args = ["run", ...more, ...(person === undefined ? ["--yes"] : []), ...flags, "Do what you want."];
  const argv = [process.execPath, bin, ...args];
  const [program = "", ...rest] =
    person === undefined ? argv : ["script", "-qec", argv.map(quoted).join(" "), "/dev/null"];
  const child = spawn(program, rest, {
    cwd: folder?.(world) ?? world.project,
    env: { ...environmentOf(world), ANTHROPIC_API_KEY: world.key, ANTHROPIC_BASE_URL: url },
    stdio: [person === undefined ? "ignore" : "pipe", "pipe", "pipe"],
    ...(world.uid === undefined ? {} : { uid: world.uid, gid: world.uid }),
  });
  let screen = "";
  let seen = 0;
  const open = [...(person ?? [])];
  const hear = (text: string): void => {
    screen += text;
    if (killedAt !== undefined && screen.includes(killedAt, screen.search(/-> (?:run_|bash)/))) child.kill("SIGKILL");
    const [shown, typed] = open[0] ?? [];
    if (shown === undefined || !screen.includes(shown, seen)) return;
    open.shift();
    seen = screen.length;
    child.stdin?.write(typed ?? "");
  };
  child.stdout?.setEncoding("utf8").on("data", hear);
  child.stderr?.setEncoding("utf8").on("data", hear);
  let hung = false;
  const timer = setTimeout(() => {
    hung = true;
    child.kill("SIGKILL");
  }, patience);
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => {
      clearTimeout(timer);
      resolve({ screen, code, hung });
    });
  });
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
