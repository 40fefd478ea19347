/** A chat opened from a command line, at a terminal. */

import { codeBudget } from "@croft/harness";
import type { Arguments } from "../arguments.ts";
import { runChat } from "../chat/chat.ts";
import { openHistory } from "../chat/history.ts";
import type { Mode, Screen } from "../chat/screen.ts";
import type { Io } from "../io.ts";
import { openLines } from "../ui/lines/lines.ts";
import { UsageError } from "../usage.ts";
import { codingOptions, grantsOf } from "../session/coding.ts";
import type { Resumed } from "../session/open-session.ts";
import { layerOf, turnOptions } from "./turn.ts";

const own = { plan: { type: "boolean" }, plain: { type: "boolean" } } as const;

/** What a chat understands. */
export const chatOptions: typeof turnOptions & typeof codingOptions & typeof own = {
  ...turnOptions,
  ...codingOptions,
  ...own,
};

type Values = Arguments<typeof chatOptions>["values"];

/** `message`: said first; may be empty. */
export type Meeting = { root: string; resumed: Resumed | undefined; message: string };

/** Talks until the person leaves. The exit code. Throws UsageError. */
export async function converse(values: Values, { root, resumed, message }: Meeting, io: Io): Promise<number> {
  const grants = grantsOf(values);
  if (values.plan === true && grants.yes) {
    throw new UsageError("E_ARGUMENTS", "--plan and --yes do not go together.", "Choose one; /mode changes it later.");
  }
  if (values.trace !== undefined) {
    const remedy = "The session is the trace: see croft sessions, and trace in the configuration.";
    throw new UsageError("E_ARGUMENTS", "--trace names the file of one turn, not of a conversation.", remedy);
  }
  const mode: Mode = values.plan === true ? "plan" : grants.yes ? "yes" : "ask";
  return runChat(
    {
      screen: await screenFor(io, values.plain === true),
      project: { root, own: values["no-project-config"] !== true, flags: layerOf(values), usual: codeBudget },
      grants,
      mode,
      history: openHistory(io.environment.stateHome, root),
      resumed,
      message,
    },
    io,
  );
}

/** Plain lines where a cursor cannot be moved, or somebody wants them. */
async function screenFor(io: Io, plain: boolean): Promise<Screen> {
  const { environment, out, err, paint } = io;
  const term = environment.variable("TERM");
  const canMove = term !== undefined && term !== "dumb";
  if (canMove && !plain && process.stdout.isTTY) {
    // Loaded where it is needed: it takes as long as Node itself.
    const { openTerminal } = await import("../ui/terminal/screen.ts");
    return openTerminal({ input: io.stdin(), output: process.stdout, colour: !environment.noColor, term });
  }
  return openLines({
    input: io.stdin(),
    out,
    err,
    paint,
    columns: () => process.stderr.columns,
    canMove,
    streams: process.stdout.isTTY,
  });
}
