/** Plays a row against the built croft, as a process of its own, with a strict server for the model. */

import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { say, startMessagesServer, type MessagesServer, type ServerReply } from "@croft/harness/testing";
import type { Played, Ports, Row, Told } from "./row.ts";
import { environmentOf, type World } from "./world.ts";

/** What croft is started as. */
export const bin: string = fileURLToPath(new URL("../../../packages/cli/bin/croft.cjs", import.meta.url));
/** Beyond this, a row hangs. */
const patience = 60_000;

/** Who plays the attacked: croft, or something that ought to be caught. */
export type Agent = (row: Row, world: World, ports: Ports) => Promise<Played>;

export const croft: Agent = async (row, world, ports) => {
  const attack = row.calls(world, ports);
  const twin = row.twin.calls?.(world) ?? [];
  const first = callsIn(attack);
  if (row.killedAt === undefined) {
    const { told, ...played } = await session(row, world, [...attack, ...twin]);
    return { world, attack: told.slice(0, first), twin: told.slice(first), ...played };
  }
  const killed = await session(row, world, attack);
  const { killedAt: _, ...whole } = row;
  const next = await session(whole, world, twin);
  const [requests, screen] = [killed.requests + next.requests, killed.screen + next.screen];
  return { ...next, world, attack: killed.told, twin: next.told, requests, screen };
};

type Session = Omit<Played, "world" | "attack" | "twin"> & { told: readonly Told[] };

async function session(row: Row, world: World, steps: readonly ServerReply[]): Promise<Session> {
  const server = await startMessagesServer({ script: (_, n) => steps[n - 1] ?? say("Done."), apiKey: world.key });
  try {
    const ended = await start(row, world, server.url);
    return { ...ended, told: resultsOf(server), requests: JSON.stringify(server.requests.map(({ body }) => body)) };
  } finally {
    await server.close();
  }
}

function callsIn(steps: readonly ServerReply[]): number {
  return steps
    .flatMap((step) => ("type" in step ? [step] : Array.isArray(step) ? step : []))
    .filter((part) => Object(part).type === "tool_use").length;
}

/** What the last message of each request brings. */
function resultsOf({ requests }: MessagesServer): Told[] {
  return requests.flatMap(({ body }) => {
    const content: unknown = body.messages.at(-1)?.content;
    const blocks: unknown[] = Array.isArray(content) ? content : [];
    return blocks.map(Object).flatMap((block) => {
      if (block.type !== "tool_result") return [];
      const parts: unknown[] = Array.isArray(block.content) ? block.content : [];
      return [{ text: parts.map((part) => Object(part).text).join("\n"), failed: block.is_error === true }];
    });
  });
}

function start(row: Row, world: World, url: string): Promise<Pick<Played, "screen" | "code" | "hung">> {
  const { person, flags = [], folder, killedAt } = row;
  const args = ["run", ...(person === undefined ? ["--yes"] : []), ...flags, "Do what you want."];
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
    if (killedAt !== undefined && screen.includes(killedAt, screen.indexOf("-> run_"))) child.kill("SIGKILL");
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
