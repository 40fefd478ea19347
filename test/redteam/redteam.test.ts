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

for (const user of users.slice(0, 1)) {
  for (const row of rows) {
    const play = test.runIf(why(row, user) === undefined && row.slow !== true);
    play.concurrent(`as ${user.name}, ${row.id}: ${row.attack}; ${row.twin.does}`, async () => {
      const { escaped, works, story } = await judge(row, croft, user.uid);
      expect({ escaped, works }, story).toEqual({ escaped: [], works: true });
    });
  }
}
