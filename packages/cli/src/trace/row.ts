/** What the page about a run is given: rows in order. Every text in them is fit to be looked at: see `say.ts`. */

/** Who was at work, or waited for. */
export type Lane = "model" | "tools" | "checks" | "person";
/** Milliseconds; `at` since the trace began. */
export type Span = { lane: Lane; at: number; ms: number };

/** What rows are filtered by. */
export type Kind =
  | "turn"
  | "message"
  | "step"
  | "call"
  | "command"
  | "change"
  | "check"
  | "citations"
  | "notice"
  | "damage";
export type Tone = "good" | "bad" | "doubt";
/** Tokens in the order input, cache read, cache write, output; `dollars`: undefined where the model has no price. */
export type Tokens = readonly [input: number, cacheRead: number, cacheWrite: number, output: number];

/** One line, and all that list, timeline and plots need of a row: the page keeps the heads of all rows. */
export type Head = {
  kind: Kind;
  /** Milliseconds since the trace began. */
  at: number;
  title: string;
  /** Beside the title: how long, how much. */
  note?: string | undefined;
  tone?: Tone | undefined;
  /** Shown with its body. */
  open?: true | undefined;
  spans?: readonly Span[] | undefined;
  /** Of one request to the model. */
  tokens?: Tokens | undefined;
  dollars?: number | undefined;
};

export type Verdict = { tone: Tone; what: string; says: string };

/** Pieces of a body. The page knows how to show these, and nothing of events. */
export type Part =
  | { as: "markdown"; text: string }
  | { as: "text"; label: string; text: string; folded?: true | undefined }
  | { as: "diff"; label: string; text: string }
  | { as: "facts"; facts: readonly (readonly [name: string, value: string])[] }
  | { as: "verdicts"; verdicts: readonly Verdict[] }
  | { as: "image"; mediaType: string; base64: string };

export type Row = { head: Head; body: readonly Part[] };
