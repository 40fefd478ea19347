/** What the crash tests run in a process of its own: a turn, an undo or a redo that kills itself at a given step. */

import { mechanismHere } from "../place/mechanism.ts";
import { fenceBy } from "../fence/on-disk.ts";
import { change, policy, worldIn, type Wanted } from "./undo.testing.ts";

export type Crash = {
  base: string;
  what: "turn" | "undo" | "redo";
  /** The step after which the process is gone, from 1. */
  at: number;
  wanted: Readonly<Record<string, Wanted | string | null>>;
};

/** Ends this process with SIGKILL at the step, or returns. */
export async function runUntil({ base, what, at, wanted }: Crash): Promise<void> {
  let steps = 0;
  const step = (): void => {
    steps += 1;
    if (steps === at) process.kill(process.pid, "SIGKILL");
  };
  const world = worldIn(base, { observe: step });
  if (what !== "turn") {
    await world.undo[what](new AbortController().signal);
    step();
    return;
  }
  world.fence.close();
  const fence = fenceBy(mechanismHere(), world.project, policy, step);
  const turn = world.undo.begin({ session: "s1", task: "Crash", at: 0 });
  const observed = {
    ...turn,
    keep(files: Parameters<typeof turn.keep>[0]) {
      const keeping = turn.keep(files);
      step();
      return keeping;
    },
  };
  await change({ fence, project: world.project }, observed, wanted);
  step();
  turn.end();
  step();
}
