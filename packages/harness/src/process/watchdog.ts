/**
 * Ends groups of processes when croft itself is gone, however it went: a small shell waits at the other end of a pipe
 * that only croft holds open. For what runs without an enclosure; an enclosure dies with its parent by itself.
 */

import type { Writable } from "node:stream";

export interface Watchdog extends AsyncDisposable {
  /** To be awaited before a leader is started, so that none is alive unwatched. Costs little but the first time. */
  wake(): Promise<void>;
  /** From now on this group does not outlive croft. */
  watch(leader: number): void;
  /** To be called as soon as the leader is gone: its number may be given to another. */
  forget(leader: number): void;
}

/** Reads `+ GROUP` and `- GROUP`; at the end of its input it ends those that are left. */
const script = `
trap '' HUP INT TERM
groups=
while read -r sign group; do
  case $sign in
    +) groups="$groups $group" ;;
    -) kept=; for one in $groups; do [ "$one" = "$group" ] || kept="$kept $one"; done; groups=$kept ;;
  esac
done
for group in $groups; do kill -9 "-$group"; done
`;

/** Nothing is started before it is woken. */
export function createWatchdog(): Watchdog {
  let starting: Promise<Dog> | undefined;
  let dog: Dog | undefined;
  return {
    async wake() {
      dog = await (starting ??= startDog());
    },
    watch: (leader) => dog?.say(`+ ${leader}\n`),
    forget: (leader) => dog?.say(`- ${leader}\n`),
    async [Symbol.asyncDispose]() {
      await (await starting)?.end();
    },
  };
}

type Dog = { say: (line: string) => void; end: () => Promise<void> };

async function startDog(): Promise<Dog> {
  const { spawn } = await import("node:child_process");
  const child = spawn("/bin/sh", ["-c", script], {
    cwd: "/",
    env: {},
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  // Where it does not start, or is killed, commands are still ended by us: only the second line is lost.
  const { stdin }: { stdin?: Writable } = child;
  child.on("error", () => undefined);
  stdin?.on("error", () => undefined);
  const { promise: gone, resolve } = Promise.withResolvers<void>();
  child.once("close", () => resolve());
  child.unref();
  return {
    say: (line) => void stdin?.write(line),
    end() {
      child.ref();
      stdin?.end();
      return gone;
    },
  };
}
