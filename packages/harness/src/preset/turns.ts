/** Turns with a model behind doors: what the assemblies share, from the budget to the memory files. */

import type { AgentOptions, Attach, Attachment, Explorer, Steered, TurnResult } from "../agent/agent.ts";
import { compactSession, type Compacted } from "../agent/compact-session.ts";
import { contextReport, type ContextReport } from "../agent/context-report.ts";
import { runTurn } from "../agent/loop.ts";
import type { Budget, Event } from "../event.ts";
import type { Price } from "../model/catalogue.ts";
import type { Model } from "../model/model.ts";
import type { CountedPrompt } from "../model/prompt-bound.ts";
import type { RetryOptions } from "../model/retry.ts";
import type { Past } from "../session/past.ts";
import { recorder, type Session } from "../session/session.ts";
import { learn } from "../workspace/ledger.ts";
import { sessionModel, type AskedModels } from "./asked-model.ts";
import { attaching, type Attachments } from "./attachments.ts";
import type { DoorOptions, Doors } from "./doors.ts";
import { exploringWith } from "./exploring.ts";
import type { Memory, MemoryOptions } from "./memory.ts";
import { prepare, type Prepared } from "./prepared.ts";
import { changedFiles } from "./resuming.ts";

/** `dollars` is a hard ceiling: a request that could pass it is not made. */
export type RunBudget = Budget & { dollars?: number | undefined };

/** What the user says in the middle of a turn, and what goes with it. */
export type AskedMore = { text: string; attachments?: Attachments | undefined };

export type TurnOptions = DoorOptions & {
  /** A bare adapter: retry and the dollar ceiling are put around it here. */
  model: Model;
  /** Dollars per million tokens. Default: what the catalogue knows of the model. */
  price?: Price | undefined;
  /** Opened with `past` where it goes on. */
  session: Session;
  /** What was before, where a session goes on. */
  past?: Past | undefined;
  budget?: Partial<RunBudget> | undefined;
  /**
   * Told what each request counts against the ceiling in dollars, for whoever keeps one over several sessions: the worst
   * case where nobody counted it, which no event says.
   */
  onCharge?: ((dollars: number) => void) | undefined;
  /** Tokens of output at most, each request. */
  maxTokens?: number | undefined;
  /** How failed requests are repeated. */
  retry?: RetryOptions | undefined;
  /**
   * What goes with the project's memory files; false: none at all, as is the default in strict mode, where nothing is
   * read unasked.
   */
  memory?: MemoryOptions | false | undefined;
  /**
   * Takes what the user has said since it was last asked, for the turn that runs: it is asked between two steps and
   * before the turn would end. Whatever it has not given by the end of a turn may begin the next one.
   */
  steering?: (() => readonly AskedMore[]) | undefined;
  emit: (event: Event) => void;
};

/** What is run, apart from a project and a model. */
export type Assembly = Pick<AgentOptions, "system" | "tools" | "checks">;

/** A kind of turn. `dollars` of its budget hold where the model has a price; a ceiling that is asked for always does. */
export type TurnKind = {
  /** The tools are those of the doors. */
  assembly: Omit<Assembly, "tools">;
  budget: RunBudget;
  maxTokens: number;
  /** What a question is that the model hands on; absent where none of its tools does. */
  exploring?: ExploringKind | undefined;
  /** What is told of a session behind its start. */
  notices?: readonly Event[] | undefined;
  /** What goes with everything that the user says. */
  attach?: Attach | undefined;
  /** As `AgentOptions.lastWords`. */
  lastWords?: AgentOptions["lastWords"];
};

/** Done with such of these tools as the doors have. */
export type ExploringKind = TurnKind & { assembly: Assembly };

export type Turns = {
  /** One turn. Throws only for a fault in croft itself; every outcome is a status. */
  take: (task: string, signal: AbortSignal, attachments?: Attachments) => Promise<TurnResult>;
  /**
   * Asks this one from the next turn on, which goes on with all that was said: opaque blocks stay with the model they
   * came from. The ceiling in dollars goes on too. `price`: default as that of `TurnOptions`.
   */
  useModel: (model: Model, price?: Price) => void;
  /**
   * From the next turn on so many dollars may be spent, whatever was spent before. It holds for the models for which the
   * ceiling held that it replaces.
   */
  useCeiling: (dollars: number) => void;
  /** Makes room in the session, full or not, while no turn runs. Every outcome is a value; undo does not take it back. */
  compact: (signal: AbortSignal) => Promise<Compacted>;
  /** What fills the context of the model now. */
  context: () => Promise<ContextReport>;
  /** Ends what still runs. */
  close: () => Promise<void>;
};

/** Opens the doors and prepares a session for turns. Throws Failure where the root cannot be opened. */
export function openTurns(options: TurnOptions, kind: TurnKind, open: (options: DoorOptions) => Doors): Turns {
  const { session, past, emit, strict = false } = options;
  const { retry, onCharge, maxTokens = kind.maxTokens, memory = strict ? false : {}, steering = () => [] } = options;
  const { dollars: usualDollars, ...limits } = kind.budget;
  const { dollars, ...chosen } = options.budget ?? {};
  let counted: CountedPrompt | undefined;
  const recalled = (id: string): CountedPrompt | undefined => (id === past?.model ? counted : undefined);
  const models = sessionModel(options, { dollars, usualDollars, maxTokens, retry, recalled, onCharge });
  const doors = open({ ...options, emit: recorder(session, emit) });
  for (const one of past?.learned ?? []) learn(doors.ledger, one);
  const notes = past === undefined ? undefined : changedFiles(past.learned, doors.hashNow);

  const { system, checks } = kind.assembly;
  const budget = { ...limits, ...chosen };
  const frame = { system, checks, session, past, memory, budget, notices: kind.notices ?? [], emit };
  let prepared: Promise<Prepared> | undefined;
  const ready = (): Promise<Prepared> => (prepared ??= makeReady());

  async function makeReady(): Promise<Prepared> {
    const made = await prepare(doors, { ...frame, asked: models.now() });
    counted = made.counted;
    return made;
  }

  return {
    async take(task, signal, attachments = {}) {
      const { memory, ...agent } = await ready();
      const news = memory.news(agent);
      const attach = (given: Attachments): Attach => all(notes, news, kind.attach, attaching(given, agent));
      const hear = (): Steered[] =>
        steering().map((more) => ({ text: more.text, attach: attach(more.attachments ?? {}) }));
      const { exploring, ...asked } = models.now();
      const explorer = kind.exploring && explorerFor(kind.exploring, doors, { memory, exploring });
      const { lastWords } = kind;
      const spoken = { attach: attach(attachments), steering: hear, lastWords };
      return runTurn(task, { ...agent, ...asked, explorer, ...spoken }, signal);
    },
    compact: async (signal) => compactSession({ ...(await ready()), ...models.now() }, signal),
    context: async () => contextReport({ ...(await ready()), ...models.now() }, system.length),
    useModel: models.useModel,
    useCeiling: models.useCeiling,
    close: () => doors.close(),
  };
}

/** What it has of the session besides the doors: the project's memory holds for it too. */
type Around = { memory: Memory; exploring: AskedModels["exploring"] };

function explorerFor(kind: ExploringKind, doors: Doors, { memory, exploring }: Around): Explorer {
  const { assembly, budget, maxTokens } = kind;
  const { root, workspace, lines } = doors;
  const names = new Set(assembly.tools.map(({ name }) => name));
  const tools = doors.tools.filter(({ name }) => names.has(name));
  const system = [...assembly.system, ...memory.system];
  const agent = { root, workspace, lines, tools, checks: assembly.checks, system };
  return exploringWith(() => ({ ...agent, ...exploring(maxTokens) }), budget);
}

/** One after the other. */
function all(...attaches: readonly (Attach | undefined)[]): Attach {
  return async (signal) => {
    const attachments: Attachment[] = [];
    for (const attach of attaches) attachments.push(...((await attach?.(signal)) ?? []));
    return attachments;
  };
}
