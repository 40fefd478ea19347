/** Where a turn begins and where it ends. */

import { totalTokens, type Event } from "@croft/harness";
import { duration, grouped, money } from "../ui/numbers.ts";
import { unaskedText } from "../ui/outcome.ts";
import { plural } from "../ui/plural.ts";
import { usageFacts } from "./request-row.ts";
import type { Row } from "./row.ts";
import { facts, line, text } from "./say.ts";

export function startRow(
  { session, root, model, task, setup }: Extract<Event, { type: "start" }>,
  turn: number,
  at: number,
): Row {
  const budget = setup?.budget;
  const limits = budget && [plural(budget.steps, "step"), `${grouped(budget.tokens)} tokens`, duration(budget.ms)];
  return {
    head: { kind: "turn", at, title: `Turn ${turn}: ${line(task)}`, note: line(model) },
    body: [
      ...facts(
        ["session", session],
        ["project", root],
        ["model", model],
        ["tools", setup?.tools.map(({ name }) => name).join(", ")],
        ["at most", limits?.join(", ")],
      ),
      ...(setup?.system ?? []).map((block) => text("system prompt", block.text, "folded")),
    ],
  };
}

export function stopRow(
  { status, steps, usage, dollars, answer, failure, unasked }: Extract<Event, { type: "stop" }>,
  at: number,
): Row {
  const why = failure === undefined ? undefined : `${failure.message} ${failure.remedy ?? ""} (${failure.code})`;
  return {
    head: {
      kind: "turn",
      at,
      title: `Turn ended: ${line(status)}`,
      note: `${plural(steps, "step")}, ${grouped(totalTokens(usage))} tokens, ${money(dollars)}`,
      tone: status === "done" ? "good" : "bad",
      ...(why !== undefined && { open: true }),
    },
    body: [
      ...facts(["why", why], ["refused", unasked && unaskedText(unasked)]),
      ...usageFacts(usage, dollars),
      ...(answer === "" ? [] : [text("answer", answer, "folded")]),
    ],
  };
}
