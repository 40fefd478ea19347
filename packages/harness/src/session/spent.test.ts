import { expect, test } from "vitest";
import type { Event } from "../event.ts";
import { createCount } from "./spent.ts";

const usage = { input: 1, cacheRead: 2, cacheWrite: 3, output: 4 };
const start = (model: string): Event => ({ type: "start", session: "s", root: "/r", model, task: "t" });
const step = (dollars: number | undefined): Event => ({ type: "step", step: 1, usage, dollars, stop: "end_turn" });
const compaction: Event = { type: "compaction", notes: "n", usage, dollars: 8, stop: "end_turn" };
const stop = (dollars: number | undefined): Event => ({
  type: "stop",
  status: "done",
  steps: 1,
  usage,
  dollars,
  answer: "",
});

function counted(...events: readonly Event[]): ReturnType<typeof createCount> {
  const count = createCount();
  for (const event of events) count.take(event);
  return count;
}

test("what each model used is every request for it: steps, notes, and those of agents inside a call", () => {
  const explored: Event = {
    type: "explored",
    id: "c",
    event: { type: "step", step: 1, usage, dollars: 16, stop: "end_turn" },
  };
  const { used, spent } = counted(
    start("p/a"),
    step(1),
    explored,
    stop(17),
    compaction,
    start("p/b"),
    step(2),
    stop(2),
    start("p/a"),
    step(4),
  );
  expect(used).toEqual([
    { model: "p/a", usage: { input: 4, cacheRead: 8, cacheWrite: 12, output: 16 }, dollars: 29 },
    { model: "p/b", usage, dollars: 2 },
  ]);
  expect(spent).toEqual({ turns: 3, dollars: 31 });
});

test("a model without a price leaves the cost of the session unknown, and that of the others known", () => {
  const { used, spent } = counted(start("p/a"), step(1), stop(1), start("p/b"), step(undefined), stop(undefined));
  expect(used.map(({ model, dollars }) => [model, dollars])).toEqual([
    ["p/a", 1],
    ["p/b", undefined],
  ]);
  expect(spent).toEqual({ turns: 2, dollars: undefined });
});

test("a count goes on from what was before, also with a request outside of any turn", () => {
  const count = createCount({ turns: 1, dollars: 1 }, [{ model: "p/a", usage, dollars: 1 }]);
  count.take(compaction);
  expect([count.used, count.spent]).toEqual([
    [{ model: "p/a", usage: { input: 2, cacheRead: 4, cacheWrite: 6, output: 8 }, dollars: 9 }],
    { turns: 1, dollars: 9 },
  ]);
});
