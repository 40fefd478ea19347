/**
 * The attacker of the race tests: another process that swaps two names in one folder as fast as it can. Three renames a
 * flip, in plain Node, which is fast enough to fool whatever checks a path and then opens it.
 */

// oxlint-disable-next-line no-restricted-imports -- an attacker in this process would never run between two system calls
import { spawn } from "node:child_process";
import { once } from "node:events";

export type Flipper = {
  /** Ends the process; the two names are back in their places. */
  stop(): Promise<void>;
};

const script = `
const { renameSync } = require("node:fs");
const [a, b] = process.argv.slice(1);
const aside = a + ".aside";
let on = true;
process.stdin.resume().on("end", () => (on = false));
process.stdout.write("flipping");
(function flip() {
  for (let i = 0; i < 100; i++) {
    renameSync(a, aside);
    renameSync(b, a);
    renameSync(aside, b);
  }
  if (on) setImmediate(flip);
})();
`;

/** Starts when the first flips have been made. The process also ends when this one does. */
export async function startFlipper(a: string, b: string): Promise<Flipper> {
  const child = spawn(process.execPath, ["-e", script, a, b], { stdio: ["pipe", "pipe", "inherit"] });
  await once(child.stdout, "data");
  return {
    async stop() {
      child.stdin.end();
      if (child.exitCode === null) await once(child, "close");
    },
  };
}
