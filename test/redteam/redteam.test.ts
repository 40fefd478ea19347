import { expect, test } from "vitest";
import { needs } from "../support/needs.ts";
import { judge } from "./rig/judge.ts";
import { croft } from "./rig/play.ts";
import { usersHere, why } from "./rig/users.ts";
import { rows } from "./rows.ts";

const here = process.platform === "linux" && needs("bwrap") && needs("git");
const users = here ? usersHere(undefined, (line) => void process.stderr.write(`${line}\n`)) : [];

test("no two rows have the same id", () => {
  expect(rows.length).toBe(new Set(rows.map(({ id }) => id)).size);
});

/** The others take their time: `npm run redteam` plays them all, as does `npm run check:long`. */
const played = process.env["CROFT_LONG"] === "1" ? users : users.slice(0, 1);

for (const user of played) {
  for (const row of rows) {
    const play = test.runIf(why(row, user) === undefined && row.slow !== true);
    play.concurrent(`as ${user.name}, ${row.id}: ${row.attack}; ${row.twin.does}`, async () => {
      const { escaped, works, story } = await judge(row, croft, user.uid);
      expect({ escaped, works }, story).toEqual({ escaped: [], works: true });
    });
  }
}
