/** How the session stands: kept along its events, and shown whenever it is another. */

import { totalTokens, type Event } from "@croft/harness";
import type { Inbox } from "./inbox.ts";
import type { Mode, Screen } from "./screen.ts";
import type { Sessions } from "./sessions.ts";
import type { Worker } from "./worker.ts";

export interface Status {
  readonly mode: Mode;
  setMode(mode: Mode): void;
  /** Tokens that the conversation holds, where a service has counted them. */
  setContext(tokens: number | undefined): void;
  hear(event: Event): void;
  show: () => void;
}

export type StatusParts = {
  screen: Pick<Screen, "setStatus">;
  inbox: Pick<Inbox, "texts">;
  worker: () => Pick<Worker, "isWorking">;
  session: () => Sessions["known"];
};

/** `mode`: the first one. */
export function createStatus(mode: Mode, { screen, inbox, worker, session: known }: StatusParts): Status {
  let context: number | undefined;

  function show(): void {
    const { model, preset, sandbox, session } = known();
    screen.setStatus({
      model: model.id,
      mode: preset === "ask" ? "read" : mode,
      sandbox,
      context: context === undefined ? undefined : { used: context, of: model.context },
      dollars: session?.spent.dollars,
      working: worker().isWorking,
      queued: inbox.texts,
    });
  }

  return {
    get mode() {
      return mode;
    },
    setMode(wanted) {
      mode = wanted;
      show();
    },
    setContext(tokens) {
      context = tokens;
    },
    hear(event) {
      context = contextIn(event) ?? context;
      if (event.type === "step" || event.type === "compaction" || event.type === "stop") show();
    },
    show,
  };
}

/** What the last request read and wrote, where the event tells. */
function contextIn(event: Event): number | undefined {
  if (event.type !== "step" || event.usage.estimated === true) return undefined;
  const tokens = totalTokens(event.usage);
  return tokens === 0 ? undefined : tokens;
}
