/** What the person wants at the screen, brought to where it is done. */

import type { ToolsetName } from "@croft/harness";
import { completer } from "./complete.ts";
import { editDraft } from "./edit-draft.ts";
import { readEntered } from "./entered.ts";
import type { History } from "./history.ts";
import type { Inbox } from "./inbox.ts";
import { nextMode } from "./mode.ts";
import type { Performer } from "./perform.ts";
import type { Person } from "./screen.ts";
import type { Talk } from "./talk.ts";
import type { Worker } from "./worker.ts";

export type PersonParts = {
  talk: Talk;
  /** The session is open; until then, what the person enters waits in the inbox. Rejects where it cannot be opened. */
  opened: Promise<void>;
  /** Which tools the session has, before it is open too. */
  preset: () => ToolsetName;
  history: History;
  inbox: Inbox;
  worker: Worker;
  performer: Performer;
};

export function personFor({ talk, opened, preset, history, inbox, worker, performer }: PersonParts): Person {
  const { io, root, screen } = talk;
  const complete = completer(talk);
  return {
    enter(text, when) {
      if (readEntered(text).kind === "nothing") return;
      void history.add(text);
      if (worker.isWorking && performer.isAnytime(text)) void performer.attempt(text, io.signal);
      else inbox.add({ text, when });
    },
    interrupt: () => worker.interrupt(),
    retract: () => inbox.last(),
    nextMode() {
      if (preset() !== "ask") talk.setMode(nextMode(talk.mode));
      else screen.tell("This session only reads, so there is nothing to choose. See /help.");
    },
    trust: () => talk.setMode("yes"),
    complete: (draft, cursor, signal) =>
      opened.then(
        () => complete(draft, cursor, signal),
        () => [],
      ),
    history: () => history.entries(),
    edit: (draft) => editDraft(draft, root, io),
    leave: () => talk.leave(),
  };
}
