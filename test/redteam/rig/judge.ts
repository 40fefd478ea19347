/** One row, played and judged. */

import { existsSync, lstatSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { watch } from "./oracles.ts";
import type { Agent } from "./play.ts";
import type { Played, Ports, Row } from "./row.ts";
import { makeWorld, own, type World } from "./world.ts";

export type Outcome = {
  id: string;
  attack: string;
  twin: string;
  /** What got through; none: it held. */
  escaped: readonly string[];
  /** Whether the twin did its work. */
  works: boolean;
  /** For whoever looks into a failure. */
  story: string;
};

/** `uid`: the user that croft runs as. */
export async function judge(row: Row, agent: Agent, uid?: number): Promise<Outcome> {
  const world = makeWorld(row.files ?? {}, { uid, repository: row.repository ?? true });
  try {
    row.prepare?.(world);
    own(world);
    await using watching = await watch(world);
    const before = stateOf(world, row.untouched ?? []);
    const told = await playWith(row, agent, world, watching.ports);
    row.afterwards?.(world);
    const after = stateOf(world, row.untouched ?? []);
    const changed = Object.keys(before).filter((path) => before[path] !== after[path]);
    const seen = row.escaped?.(told);
    return {
      id: row.id,
      attack: row.attack,
      twin: row.twin.does,
      escaped: [
        ...(await watching.broken(told)),
        ...changed.map((path) => `protected: ${path} changed`),
        ...(typeof seen === "string" ? [seen] : []),
      ],
      works: row.twin.works(told),
      story:
        [...told.attack, ...told.twin].map(({ text }) => text.slice(0, 1_500)).join("\n--\n") +
        `\n== screen, exit ${told.code}\n${told.screen.slice(-4_000)}`,
    };
  } finally {
    world.remove();
  }
}

async function playWith(row: Row, agent: Agent, world: World, ports: Ports): Promise<Played> {
  using _meanwhile = row.meanwhile?.(world);
  return await agent(row, world, ports);
}

function stateOf({ project }: World, paths: readonly string[]): Record<string, string> {
  return Object.fromEntries(paths.map((path) => [path, stateAt(join(project, path))]));
}

function stateAt(path: string): string {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return "absent";
  if (stat.isSymbolicLink()) return `link to ${readlinkSync(path)}`;
  return stat.isFile() ? `${stat.mode} ${readFileSync(path, "latin1")}` : `folder ${stat.mode} ${existsSync(path)}`;
}
