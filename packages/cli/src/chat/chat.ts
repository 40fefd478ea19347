/** An interactive session: what a person enters becomes turns and commands, one behind the other. Knows no terminal. */

import { mentionsIn, type AskedMore, type Event, type ToolsetName } from "@croft/harness";
import type { Grants } from "../session/coding.ts";
import type { Project, Resumed } from "../session/open-session.ts";
import { exitCodes } from "../exit.ts";
import type { Io } from "../io.ts";
import type { Output } from "../ui/output.ts";
import { banner, farewell } from "./banner.ts";
import { createTalk } from "./create-talk.ts";
import { messageIn } from "./entered.ts";
import type { History } from "./history.ts";
import { createInbox } from "./inbox.ts";
import { calls, longMs } from "./notify.ts";
import { performerFor } from "./perform.ts";
import { personFor } from "./person.ts";
import { recall } from "./recall.ts";
import type { Mode, Screen } from "./screen.ts";
import { readySessions, type SessionsOptions } from "./sessions.ts";
import { createStatus } from "./status.ts";
import { createWorker } from "./worker.ts";

export type ChatOptions = {
  screen: Screen;
  project: Project;
  grants: Grants;
  mode: Mode;
  history: History;
  /** A session that goes on. */
  resumed: Resumed | undefined;
  /** Said first; may be empty. */
  message: string;
};

/** Talks until the person leaves. The exit code. Throws UsageError, and Failure, where no session can be opened. */
export async function runChat(options: ChatOptions, io: Io): Promise<number> {
  const { screen, project, grants, history, resumed, message } = options;
  const { root } = project;
  const told: Io = { ...io, err: outputOn(screen) };

  const left = new AbortController();
  const inbox = createInbox(() => {
    if (inbox.isShut) left.abort();
    status.show();
  });
  const status = createStatus(options.mode, { screen, inbox, worker: () => worker, session: () => sessions.known });
  const shared: SessionsOptions["shared"] = {
    root,
    grants,
    mode: () => status.mode,
    ask: screen.ask,
    steering: () => inbox.forTurn(messageIn).map(asSaid),
    emit(event: Event) {
      screen.show(event);
      status.hear(event);
    },
  };
  const sessions = await readySessions({ project, shared, resumed }, told).catch((thrown: unknown) => {
    screen.close();
    throw thrown;
  });
  const worker = createWorker({
    inbox,
    attempt: (text, signal) => performer.attempt(text, signal),
    onChange: status.show,
    onEnd(ms) {
      if (io.live && ms > longMs) io.err.write(calls[sessions.current.notify]);
    },
  });
  const talk = createTalk({ io: told, root, screen, sessions, status, inbox, worker });
  const performer = performerFor(talk);
  const opening = Promise.withResolvers<void>();
  const preset = (): ToolsetName => sessions.known.preset;
  const person = personFor({ talk, opened: opening.promise, preset, history, inbox, worker, performer });

  async function showSession(): Promise<void> {
    screen.print(banner(talk));
    if (resumed !== undefined) await recall(screen, sessions.current.session);
    status.show();
  }

  const read = (): Promise<void> => screen.read(person).finally(() => talk.leave());

  io.signal.addEventListener("abort", () => talk.leave(), { once: true });
  try {
    if (io.signal.aborted) talk.leave();
    status.show();
    if (message !== "") person.enter(message, "now");
    else if (resumed?.task !== undefined) screen.draft(resumed.task);
    // Where it can be, the person types meanwhile: a session takes longer to open than all that comes before.
    const early = screen.tellsAbove ? read() : undefined;
    opening.resolve(sessions.open(left.signal));
    await opening.promise;
    if (!inbox.isShut) await showSession();
    const reading = early ?? read();
    await worker.work(io.signal);
    screen.close();
    await reading;
    return io.signal.aborted ? exitCodes.cancelled : 0;
  } finally {
    screen.close();
    await performer.close();
    await sessions.close();
    const { session } = sessions.known;
    const goodbye = session && farewell(session);
    if (goodbye !== undefined) io.err.write(`${goodbye}\n`);
  }
}

function asSaid(text: string): AskedMore {
  return { text, attachments: { mentions: mentionsIn(text) } };
}

/** For what is written to stderr elsewhere: whole lines. */
function outputOn(screen: Screen): Output {
  return {
    write: (text) => screen.print(text.trimEnd().split("\n")),
    flushed: async () => undefined,
    broken: () => undefined,
  };
}
