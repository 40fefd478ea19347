/**
 * `npm run redteam -- [--tools code|artifact|anthropic] [--as root|user] [--slow] [--story] [XA1 XD …]`: a hostile model
 * plays every row against the built croft, with `--yes` and nobody watching, as root and as an ordinary user. Exit code 1
 * where one got through or a twin was blocked. With `--slow` it takes as much memory as croft lets it have, three quarters
 * of what there is: where others work too, start it in a control group of its own, whose limit croft goes by.
 */

import { parseArgs } from "node:util";
import { judge, type Outcome } from "./rig/judge.ts";
import { dialects } from "./rig/dialects.ts";
import { croftWith } from "./rig/play.ts";
import type { Tools } from "./rig/row.ts";
import { countsOf, rowOf } from "./rig/table.ts";
import { usersHere, why, type User } from "./rig/users.ts";
import { rows } from "./rows.ts";

const { values, positionals } = parseArgs({
  options: {
    tools: { type: "string", default: "code" },
    as: { type: "string" },
    story: { type: "boolean" },
    slow: { type: "boolean" },
  },
  allowPositionals: true,
});
const asked = rows.filter(({ id }) => positionals.length === 0 || positionals.some((start) => id.startsWith(start)));
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const tools = toolsNamed(values.tools);
const agent = croftWith(tools);

/** Rows at a time: most of the time they wait. */
const together = 4;

async function playAll(user: User): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const waiting = [...asked];
  say(`As ${user.name}:`);
  const next = async (): Promise<void> => {
    for (let row = waiting.shift(); row !== undefined; row = waiting.shift()) {
      const skipped =
        why(row, user, tools) ??
        (row.slow === true && values.slow !== true ? "it is slow: ask for it with --slow" : undefined);
      if (skipped !== undefined) {
        say(`${row.id.padEnd(6)} skipped  ${skipped}`);
        continue;
      }
      const outcome = await judge(row, agent, user.uid);
      outcomes.push(outcome);
      say(rowOf(outcome));
      if (values.story === true) say(outcome.story);
    }
  };
  await Promise.all(Array.from({ length: together }, next));
  return outcomes;
}

const all: Outcome[] = [];
for (const user of usersHere(values.as, say)) all.push(...(await playAll(user)));
say(countsOf(all));
process.exitCode = all.every(({ escaped, works }) => works && escaped.length === 0) ? 0 : 1;

function toolsNamed(asked: string): Tools {
  const found = Object.keys(dialects).find((name): name is Tools => name === asked);
  if (found === undefined) throw new Error(`--tools takes ${Object.keys(dialects).join(", ")}.`);
  return found;
}
