/** The row above what is written: how the session stands. */

import type { ChatStatus } from "../../chat/screen.ts";
import { money } from "../numbers.ts";
import { span, widthOf, type Row, type Span } from "./look.ts";
import { clipped } from "./wrap.ts";

const modes = {
  read: "reads only",
  plan: "plan: nothing is changed",
  ask: "ask: each change is a question",
  yes: "yes: changes need no question",
};
const shortModes = { read: "reads only", plan: "plan", ask: "ask", yes: "yes" };
const sandboxes = { on: "sandbox", off: "no sandbox", none: "no commands" };

/** What a person must know stands first: what fits is shown. */
export function statusRow(status: ChatStatus, width: number): Row {
  const { model, mode, sandbox, context, dollars } = status;
  const full = context === undefined || context.of === 0 ? undefined : Math.round((100 * context.used) / context.of);
  const parts: Span[] = [
    span(width < 100 ? shortModes[mode] : modes[mode], { colour: mode === "yes" ? "magenta" : "cyan" }),
    ...(full === undefined
      ? []
      : [span(`${full}% of ${thousands(context?.of ?? 0)}`, full > 80 ? { colour: "red" } : { dim: true })]),
    ...(dollars === undefined ? [] : [span(money(dollars), { dim: true })]),
    span(model, { dim: true }),
    ...(mode === "read" || sandbox === undefined
      ? []
      : [span(sandboxes[sandbox], sandbox === "off" ? { colour: "red" } : { dim: true })]),
  ];
  const row = parts.flatMap((part, index) => (index === 0 ? [span("  "), part] : [span(" · ", { dim: true }), part]));
  return widthOf(row) <= width ? row : clipped(row, width);
}

function thousands(tokens: number): string {
  return tokens >= 1_000_000
    ? `${tokens / 1_000_000}M`
    : tokens >= 1_000
      ? `${Math.round(tokens / 1_000)}k`
      : String(tokens);
}
