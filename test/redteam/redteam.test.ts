import { expect, test } from "vitest";
import { needs } from "../support/needs.ts";
import { judge } from "./rig/judge.ts";
import { dialects } from "./rig/dialects.ts";
import { croftWith } from "./rig/play.ts";
import type { Tools } from "./rig/row.ts";
import { usersHere, why } from "./rig/users.ts";
import { rows } from "./rows.ts";

const here = process.platform === "linux" && needs("bwrap") && needs("git");
const users = here ? usersHere(undefined, (line) => void process.stderr.write(`${line}\n`)) : [];

test("no two rows have the same id", () => {
  expect(rows.length).toBe(new Set(rows.map(({ id }) => id)).size);
});

/** The others take their time: `npm run redteam` plays them all, as does `npm run check:long`. */
const isLong = process.env["CROFT_LONG"] === "1";
const played = isLong ? users : users.slice(0, 1);
/** Of the other toolsets, in a short run: one row of each kind of call. */
const sample: ReadonlySet<string> = new Set(["XA1", "XB1", "XC6", "XD1", "XE6", "XE6b", "XF1", "XG3", "XI1"]);

for (const tools of toolsets()) {
  for (const user of played) {
    for (const row of rows) {
      if (!isLong && tools !== "code" && !sample.has(row.id)) continue;
      const play = test.runIf(why(row, user, tools) === undefined && row.slow !== true);
      play.concurrent(`${tools}, as ${user.name}, ${row.id}: ${row.attack}; ${row.twin.does}`, async () => {
        const { escaped, works, story } = await judge(row, croftWith(tools), user.uid);
        expect({ escaped, works }, story).toEqual({ escaped: [], works: true });
      });
    }
  }
}

function toolsets(): readonly Tools[] {
  return Object.keys(dialects).filter((name): name is Tools => name in dialects);
}
