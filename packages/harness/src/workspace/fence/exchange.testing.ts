/**
 * An attacker that leaves no gap: another process that exchanges two names in one system call (RENAME_EXCHANGE), as fast
 * as it can. Node has no such call, so it is made from Perl, which comes with git.
 */

// oxlint-disable-next-line no-restricted-imports -- an attacker in this process would never run between two system calls
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import type { Flipper } from "./flip.testing.ts";

const renameat2: Readonly<Record<string, number>> = { x64: 316, arm64: 276 };

/** Through a variable, or the linter for packages takes it for one. */
const interpreter = "perl";

const script = `
my ($call, $one, $other, $parent) = @ARGV;
$| = 1;
for (my $turn = 0; getppid() == $parent; $turn++) {
  for (1 .. 100) { syscall(0 + $call, -100, $one, -100, $other, 2) }
  print "flipping" if $turn == 0;
}
`;

/** Whether there is Perl here, and a system call to make. */
export function canExchange(): boolean {
  if (process.platform !== "linux" || renameat2[process.arch] === undefined) return false;
  return spawnSync(interpreter, ["-e", "1"]).status === 0;
}

/** Starts when the first exchanges have been made. While one of the names is missing nothing happens. */
export async function startExchanger(one: string, other: string): Promise<Flipper> {
  const args = ["-e", script, String(renameat2[process.arch]), one, other, String(process.pid)];
  const child = spawn(interpreter, args, { stdio: ["ignore", "pipe", "inherit"] });
  await once(child.stdout, "data");
  return {
    async stop() {
      child.kill();
      if (child.exitCode === null && child.signalCode === null) await once(child, "close");
    },
  };
}
