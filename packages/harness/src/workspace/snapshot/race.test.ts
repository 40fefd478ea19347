import { existsSync, lstatSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { Failure } from "../../error.ts";
import { canExchange, startExchanger } from "../fence/exchange.testing.ts";
import { makeWorld, treeOf, turnOf } from "./undo.testing.ts";

const never = new AbortController().signal;

test.skipIf(!canExchange())(
  "a folder swapped for a link while undo and redo write leads nothing outside",
  async () => {
    using world = makeWorld({ "d/a.txt": "old\n", "d/gone.txt": "old\n" });
    const outside = path.join(world.base, "outside");
    mkdirSync(path.join(outside, "new"), { recursive: true });
    for (const name of ["a.txt", "gone.txt", "new/b.txt"]) writeFileSync(path.join(outside, name), "new\n");
    await turnOf(world, "Edit", { "d/a.txt": "new\n", "d/gone.txt": null, "d/new/b.txt": "new\n" });
    const before = treeOf(outside);
    symlinkSync(outside, path.join(world.project, "evil"));
    const flipper = await startExchanger(path.join(world.project, "d"), path.join(world.project, "evil"));
    let done = 0;
    try {
      for (let round = 0; round < 40; round++) {
        for (const what of ["undo", "redo"] as const) {
          try {
            done += (await world.undo[what](never)).files.length;
          } catch (thrown) {
            if (!(thrown instanceof Failure)) throw thrown;
          }
        }
      }
      expect(treeOf(outside)).toEqual(before);
      expect(done).toBeGreaterThan(0);
      expect(isFooled(world.project, outside)).toBe(true);
    } finally {
      await flipper.stop();
    }
  },
  120_000,
);

/** Whether looking first and writing then is led outside: else nothing was proved above. */
function isFooled(project: string, outside: string): boolean {
  const folder = path.join(project, "d");
  for (let tries = 0; tries < 100_000; tries++) {
    if (lstatSync(folder).isDirectory()) writeFileSync(path.join(folder, "naive.txt"), "");
    if (existsSync(path.join(outside, "naive.txt"))) return true;
  }
  return false;
}
