/** An interactive session: what a person enters becomes turns and commands, one behind the other. Knows no terminal. */

import {
  asFailure,
  mentionsIn,
  type AskedMore,
  type AttachedText,
  type Event,
  type Status,
  type ToolsetName,
} from "@croft/harness";
import type { Grants } from "../command/coding.ts";
import type { Project, Resumed } from "../command/open-session.ts";
import { exitCodes } from "../exit.ts";
import type { Io } from "../io.ts";
import type { Output } from "../ui/output.ts";
import { banner, farewell } from "./banner.ts";
import { commands } from "./commands.ts";
import { contextIn } from "./context.ts";
import { messageIn } from "./entered.ts";
import type { History } from "./history.ts";
import { createInbox } from "./inbox.ts";
import { calls, longMs } from "./notify.ts";
import { ownFinder } from "./own/own-commands.ts";
import { toldOfSkills } from "./own/tell-skills.ts";
import { performerFor } from "./perform.ts";
import { personFor } from "./person.ts";
import type { Mode, Screen } from "./screen.ts";
import { recall } from "./recall.ts";
import { readySessions, type SessionsOptions } from "./sessions.ts";
import type { Talk } from "./talk.ts";
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

/** Behind a turn that ended so, nothing begins by itself. */
const halting: ReadonlySet<Status> = new Set(["cancelled", "error", "dollar_budget"]);

/** Talks until the person leaves. The exit code. Throws UsageError, and Failure, where no session can be opened. */
export async function runChat(options: ChatOptions, io: Io): Promise<number> {
  const { screen, project, grants, history, resumed } = options;
  const told: Io = { ...io, err: toldOn(screen) };
  const { root } = project;
  let { mode } = options;
  let context: number | undefined;
  let hasLeft = false;
  /** Goes with the next message. */
  const untold: AttachedText[] = [];
  const findOwn = ownFinder();

  const inbox = createInbox(() => showStatus());
  const worker = createWorker({
    inbox,
    attempt,
    onChange: showStatus,
    onEnd(ms) {
      if (io.live && ms > longMs) io.err.write(calls[sessions.current.notify]);
    },
  });
  const emit = (event: Event): void => {
    context = contextIn(event) ?? context;
    screen.show(event);
    if (event.type === "step" || event.type === "compaction" || event.type === "stop") showStatus();
  };
  const shared: SessionsOptions["shared"] = {
    root,
    grants,
    mode: () => mode,
    ask: screen.ask,
    steering: () => inbox.forTurn(messageIn).map(asSaid),
    emit,
  };
  const sessions = await readySessions({ project, shared, resumed }, told).catch((thrown: unknown) => {
    screen.close();
    throw thrown;
  });

  function showStatus(): void {
    const { model, preset, sandbox, session } = sessions.known;
    screen.setStatus({
      model: model.id,
      mode: preset === "ask" ? "read" : mode,
      sandbox,
      context: context === undefined ? undefined : { used: context, of: model.context },
      dollars: session?.spent.dollars,
      working: worker.isWorking,
      queued: inbox.texts,
    });
  }

  const talk: Talk = {
    io: told,
    screen,
    root,
    commands,
    get current() {
      return sessions.current;
    },
    get mode() {
      return mode;
    },
    own: (signal) => findOwn(talk, signal),
    setMode(wanted) {
      mode = wanted;
      showStatus();
    },
    async begin(next) {
      await sessions.begin(next);
      if (next.kind !== "model") untold.length = 0;
      context = sessions.current.session.counted?.tokens;
      if (next.kind !== "model") screen.clear();
      screen.print(banner(talk));
      if (next.kind === "resume") await recall(screen, sessions.current.session);
      showStatus();
    },
    useCeiling: (dollars) => sessions.useCeiling(dollars),
    tellModel: (text) => void untold.push(text),
    async say(text, signal) {
      const { current } = sessions;
      const isFirst = current.session.spent.turns === 0 && current.preset !== "ask";
      const skills = isFirst ? toldOfSkills((await talk.own(signal)).own) : undefined;
      const texts = [...(skills === undefined ? [] : [skills]), ...untold.splice(0)];
      const { status } = await current.take(text, signal, { texts, mentions: mentionsIn(text) });
      if (status === "dollar_budget") screen.tell("`/budget <dollars>` allows more; nothing of what was said is lost.");
      if (halting.has(status)) giveBack();
    },
    later: (text) => inbox.add({ text, when: "later" }),
    leave() {
      hasLeft = true;
      inbox.shut();
      worker.interrupt();
    },
  };

  const performer = performerFor(talk);

  async function showSession(): Promise<void> {
    screen.print(banner(talk));
    if (resumed !== undefined) await recall(screen, sessions.current.session);
    showStatus();
  }

  /** What waited for a turn that went wrong is the person's again: nothing begins by itself behind it. */
  function giveBack(): void {
    const texts = inbox.all();
    if (texts.length > 0) screen.draft(texts.join("\n"));
  }

  /** Never throws: what goes wrong is told, and the chat goes on. */
  async function attempt(text: string, signal: AbortSignal): Promise<void> {
    try {
      await performer.perform(text, signal);
    } catch (thrown) {
      if (!signal.aborted) screen.print([`croft: ${asFailure(thrown).narration}`]);
    }
  }

  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  const preset = (): ToolsetName => sessions.known.preset;
  const person = personFor({ talk, opened, preset, history, inbox, worker, performer, attempt });
  const read = (): Promise<void> => screen.read(person).finally(() => talk.leave());
  io.signal.addEventListener("abort", () => talk.leave(), { once: true });
  try {
    if (io.signal.aborted) talk.leave();
    showStatus();
    if (options.message === "" && resumed?.task !== undefined) screen.draft(resumed.task);
    if (options.message !== "") person.enter(options.message, "now");
    // Where it can be, the person types meanwhile: a session takes longer to open than all that comes before.
    const early = screen.tellsAbove ? read() : undefined;
    open(sessions.open());
    await opened;
    if (!hasLeft) await showSession();
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
function toldOn(screen: Screen): Output {
  return {
    write: (text) => screen.print(text.trimEnd().split("\n")),
    flushed: async () => undefined,
    broken: () => undefined,
  };
}
