/** What commands of the chat have of it, made of its parts. */

import { mentionsIn, type AttachedText, type Status as TurnStatus } from "@croft/harness";
import type { Io } from "../io.ts";
import { banner } from "./banner.ts";
import { commands } from "./commands.ts";
import type { Inbox } from "./inbox.ts";
import { ownFinder } from "./own/own-commands.ts";
import { skillList } from "./own/skill-list.ts";
import { recall } from "./recall.ts";
import type { Screen } from "./screen.ts";
import type { Sessions } from "./sessions.ts";
import type { Status } from "./status.ts";
import type { Talk } from "./talk.ts";
import type { Worker } from "./worker.ts";

export type TalkParts = {
  io: Io;
  root: string;
  screen: Screen;
  sessions: Sessions;
  status: Status;
  inbox: Inbox;
  worker: Worker;
};

/** Behind a turn that ended so, nothing begins by itself. */
const halting: ReadonlySet<TurnStatus> = new Set(["cancelled", "error", "dollar_budget"]);

export function createTalk({ io, root, screen, sessions, status, inbox, worker }: TalkParts): Talk {
  const findOwn = ownFinder();
  /** Goes with the next message. */
  const untold: AttachedText[] = [];

  /** The project's skills, for a model that can use them and does not know of them yet. */
  async function skillsFor({ session, preset }: Sessions["current"], signal: AbortSignal): Promise<AttachedText[]> {
    if (session.spent.turns > 0 || preset === "ask") return [];
    const skills = skillList((await talk.own(signal)).own);
    return skills === undefined ? [] : [skills];
  }

  /** What waited for a turn that went wrong is the person's again. */
  function giveBack(): void {
    const texts = inbox.all();
    if (texts.length > 0) screen.draft(texts.join("\n"));
  }

  const talk: Talk = {
    io,
    screen,
    root,
    commands,
    get current() {
      return sessions.current;
    },
    get mode() {
      return status.mode;
    },
    own: (signal) => findOwn(talk, signal),
    setMode: (mode) => status.setMode(mode),
    async begin(next) {
      await sessions.begin(next);
      const { session } = sessions.current;
      status.setContext(session.counted?.tokens);
      if (next.kind !== "model") {
        untold.length = 0;
        screen.clear();
      }
      screen.print(banner(talk));
      if (next.kind === "resume") await recall(screen, session);
      status.show();
    },
    useCeiling: (dollars) => sessions.useCeiling(dollars),
    tellModel: (text) => void untold.push(text),
    async say(text, signal) {
      const { current } = sessions;
      const texts = [...(await skillsFor(current, signal)), ...untold.splice(0)];
      const { status: ended } = await current.take(text, signal, { texts, mentions: mentionsIn(text) });
      if (ended === "dollar_budget") screen.tell("`/budget <dollars>` allows more; nothing of what was said is lost.");
      if (halting.has(ended)) giveBack();
    },
    later: (text) => inbox.add({ text, when: "later" }),
    leave() {
      inbox.shut();
      worker.interrupt();
    },
  };
  return talk;
}
