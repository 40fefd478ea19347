/** What the turns of a session share, made once: a frame that stays as it is, and the memory files in it. */

import type { AgentOptions } from "../agent/agent.ts";
import type { Budget, Event } from "../event.ts";
import type { CountedPrompt } from "../model/prompt-bound.ts";
import type { Past } from "../session/past.ts";
import { recorder, type Session } from "../session/session.ts";
import type { AskedModel } from "./asked-model.ts";
import type { Doors } from "./doors.ts";
import { loadMemory, noMemory, type Memory, type MemoryOptions } from "./memory.ts";
import { countedIn, frameOf, resumedNotices } from "./resuming.ts";

/** All but the model, which may be another from one turn to the next. */
export type Prepared = Omit<AgentOptions, keyof AskedModel> &
  Pick<Doors, "hiding"> & {
    memory: Memory;
    /** The last prompt that was counted before, if the session goes on with it. */
    counted: CountedPrompt | undefined;
  };

export type PrepareOptions = Pick<AgentOptions, "system" | "checks"> & {
  session: Session;
  past: Past | undefined;
  memory: MemoryOptions | false;
  budget: Budget;
  /** The first one. */
  asked: AskedModel;
  /** Told of the session behind its start. */
  notices: readonly Event[];
  emit: (event: Event) => void;
};

/** Looks for memory files, where any are wanted. */
export async function prepare(doors: Doors, options: PrepareOptions): Promise<Prepared> {
  const { session, past, checks, budget, emit } = options;
  const { hiding } = doors;
  const record = recorder(session, emit);
  const before = past?.recent.flatMap(({ shown = [] }) => shown);
  const memory =
    options.memory === false
      ? noMemory
      : await loadMemory(doors.memory, options.memory, { hiding, emit: record, before });
  const fresh = { system: [...options.system, ...memory.system], tools: doors.tools };
  const frame = past === undefined ? { system: fresh.system, events: memory.notices } : frameOf(past, fresh);
  const news = [...options.notices, ...(past === undefined ? [] : resumedNotices(past)), ...frame.events];
  return {
    ...doors,
    checks,
    tools: doors.tools.map((tool) => memory.extend(tool)),
    system: frame.system,
    session,
    budget,
    memory,
    counted: past && countedIn(past, { ...options.asked, ...frame, tools: doors.tools }),
    emit(event) {
      emit(event);
      if (event.type === "compaction" && event.replaced !== undefined) memory.forget();
      if (event.type === "start") for (const notice of news.splice(0)) record(notice);
    },
  };
}
