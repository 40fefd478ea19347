/** What a whole trace comes to. Texts are as the trace has them: whoever shows them escapes them. */

/** Of a list that could grow without end its first entries, and how many there are. */
export type CappedList<Entry> = { count: number; first: readonly Entry[] };

export type Totals = {
  /** Of the first turn. */
  session: string;
  root: string;
  task: string;
  /** Each model once. */
  models: readonly string[];
  turns: CappedList<{ task: string; status: string; steps: number }>;
  /** Requests to the model. */
  steps: number;
  tokens: { input: number; cacheRead: number; cacheWrite: number; output: number };
  /** Undefined: some model had no price. */
  dollars: number | undefined;
  /** Milliseconds; those of the four add up to no more than the first. */
  time: { whole: number; model: number; tools: number; checks: number; person: number };
  tools: readonly { name: string; calls: number; failed: number; ms: number }[];
  files: CappedList<{ path: string; became: "created" | "changed" | "deleted"; added: number; removed: number }>;
  commands: CappedList<{ command: string; outcome: string; failed: boolean; ms: number }>;
  /** Those that found something, or said that they could not tell: `unverified`. */
  checks: CappedList<{ name: string; passed: boolean; unverified?: true; says: string }>;
  /** Of the last answers of turns: how many of each state, and those that are not verified. */
  citations: {
    states: Readonly<Record<string, number>>;
    doubts: CappedList<{ ref: string; state: string; reason: string }>;
  };
  /** Lines of the trace. */
  damage: { unreadable: CappedList<number>; altered: CappedList<number> };
};
