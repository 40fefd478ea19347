/** Random runs against a service that misbehaves: what is asked of it, what it answers, and what may be spent. */

import fc from "fast-check";
import type { Price } from "../../model/catalogue.ts";
import { call, say, think } from "../../model/scripted.ts";
import type { Api, Said } from "../interruptions.testing.ts";

/** What becomes of an answer on its way. `at`: the share of it before that. */
export type Damage =
  | { kind: "cut"; at: number; how: "reset" | "end" | "silence" }
  | { kind: "error"; at: number; type: string }
  | { kind: "noise"; at: number; text: string }
  /** The events that end it never come. */
  | { kind: "unfinished" };

/** How an answer is counted: shares of the prompt that a cache had or took, of `max_tokens` that was said. */
export type Counting = { read: number; written: number; filled: number };

export type Answer = {
  kind: "answer";
  parts: Said["parts"];
  stop: "max_tokens" | "refusal" | "pause" | "context_full" | "unheard of" | undefined;
  counting: Counting;
  /** Tokens it is billed with beyond anything that can be true, where the service is one that does so. */
  boast: number;
  damage: Damage | undefined;
  /** Bytes a write. */
  chunk: number | undefined;
};

export type Reply =
  | Answer
  | { kind: "error"; status: number; message: string; retryAfter: string | undefined }
  | { kind: "a block is refused" }
  | { kind: "page" }
  | { kind: "reset" }
  | { kind: "unreachable" };

/** One croft in the session, from its start to its end. */
export type Sitting = {
  ceiling: number | undefined;
  price: Price;
  steps: number;
  tokens: number;
  ms: number;
  /** Of the model. */
  context: number;
  tasks: readonly string[];
  /** The request during which the person cancels, counted from 1, and milliseconds after it came. */
  cancel: { request: number; afterMs: number } | undefined;
};

export type Schedule = {
  api: Api;
  /** Tokens a byte. */
  density: number;
  boasts: boolean;
  replies: readonly Reply[];
  sittings: readonly Sitting[];
};

const share = fc.integer({ min: 0, max: 100 }).map((percent) => percent / 100);
/** Once in so many times. */
const seldom = <T>(value: fc.Arbitrary<T>, times: number): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: times - 1, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });

const texts = fc.constantFrom(
  "Fine.",
  "It is 1: a.ts:1.",
  "It is at gone.ts:9.",
  "",
  " \n",
  "naïve – 日本語 🙂",
  "half \ud83d of it",
  "word ".repeat(400),
);

const calls = fc.constantFrom(
  call("read_file", { path: "a.ts" }),
  call("read_file", { path: "a.ts" }),
  call("read_file", { path: "gone.ts" }),
  call("read_file", { path: "../a\ud800" }),
  call("read_file", { line: [[]] }),
  call("edit_file", { path: "a.ts", old_string: "1", new_string: "11" }),
  call("write_file", { path: "b.ts", content: "export {};\n" }),
  call("no such tool!", { deep: { er: [1, "x"] } }),
  call("huge", {}),
  call("halves", {}),
  call("stopping", {}),
  { type: "raw_call", name: "read_file", json: '{"path":"a.t' } as const,
  { type: "raw_call", name: "read_file", json: '{"path":"a.ts",}' } as const,
  { type: "raw_call", name: "write_file", json: "[1]" } as const,
);
/** Alone in a reply, for two that explore at once would ask at once, and the till counts one request after the other. */
const exploring = fc.constantFrom([call("explore", { question: "Where is a?" })]);
const twins = fc.constant([call("read_file", { path: "a.ts" }, "same"), call("huge", {}, "same")]);

const parts = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(calls) },
  { weight: 3, arbitrary: fc.tuple(texts.map(think), texts.map(say), calls) },
  { weight: 3, arbitrary: fc.array(calls, { minLength: 2, maxLength: 4 }) },
  { weight: 3, arbitrary: fc.tuple(texts.map(say)) },
  { weight: 1, arbitrary: fc.tuple(texts.map(think)) },
  { weight: 1, arbitrary: twins },
  { weight: 2, arbitrary: exploring },
  { weight: 1, arbitrary: fc.constant([]) },
) satisfies fc.Arbitrary<Said["parts"]>;

const damage: fc.Arbitrary<Damage> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant("cut"), at: share, how: fc.constantFrom("reset", "end") }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("cut"), at: share, how: fc.constant("silence") }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("error"),
      at: share,
      type: fc.constantFrom("overloaded_error", "rate_limit_error", "api_error", "invalid_request_error", "odd"),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("noise"),
      at: share,
      text: fc.constantFrom(
        'data: {"type":\n\n',
        "data: 7\n\n",
        ": ping\n\n",
        "event: odd\ndata: {}\n\n",
        "\u0000\n\n",
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("unfinished") }) },
);

const answer: fc.Arbitrary<Answer> = fc.record({
  kind: fc.constant("answer"),
  parts,
  stop: seldom(fc.constantFrom("max_tokens", "max_tokens", "refusal", "pause", "context_full", "unheard of"), 8),
  counting: fc.record({ read: share, written: share, filled: share }),
  boast: fc.constantFrom(0, 0, 0, 20_000, 10_000_000),
  damage: seldom(damage, 4),
  chunk: fc.constantFrom(undefined, undefined, undefined, 64, 700),
});

const error = fc.record({
  kind: fc.constant("error"),
  status: fc.constantFrom(429, 429, 529, 529, 500, 503, 400, 401, 402, 403, 404, 413, 302),
  message: fc.constantFrom("no", "prompt is too long: 9 tokens > 8 maximum", "messages.0.content.0: odd", ""),
  retryAfter: fc.constantFrom(undefined, "0", "1", "3600", "Wed, 21 Oct 2015 07:28:00 GMT", "soon"),
});

const reply: fc.Arbitrary<Reply> = fc.oneof(
  { weight: 12, arbitrary: answer },
  { weight: 5, arbitrary: error },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("a block is refused") }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom("page", "reset", "unreachable") }) },
);

/** Dollars per million tokens: as they are, all alike, and with a cache that is dear to read from. */
const prices = fc.constantFrom<Price>(
  { input: 4, cacheRead: 0.2, cacheWrite: 5, output: 20 },
  { input: 10, cacheRead: 10, cacheWrite: 10, output: 10 },
  { input: 1, cacheRead: 30, cacheWrite: 0, output: 5 },
);

const sitting: fc.Arbitrary<Sitting> = fc.record({
  ceiling: seldom(
    fc.integer({ min: -170, max: 30 }).map((power) => 10 ** (power / 100)),
    6,
  ),
  price: prices,
  steps: fc.integer({ min: 1, max: 20 }),
  tokens: fc.constantFrom(5_000, 100_000, 5_000_000, 5_000_000),
  ms: fc.constantFrom(60_000, 60_000, 60_000, 60_000, 60_000, 60_000, 60_000, 50),
  context: fc.constantFrom(6_000, 20_000, 200_000, 1_000_000),
  tasks: fc.array(fc.constantFrom("What is a?", "Go on \udfff.", "Change a."), { minLength: 1, maxLength: 2 }),
  cancel: seldom(fc.record({ request: fc.integer({ min: 1, max: 6 }), afterMs: fc.constantFrom(0, 0, 1, 3) }), 4),
});

export const schedules: fc.Arbitrary<Schedule> = fc.record({
  api: fc.constantFrom("messages", "chat"),
  density: fc.constantFrom(0.2, 0.3, 1),
  boasts: fc.boolean(),
  replies: fc.array(reply, { maxLength: 25 }),
  sittings: fc.array(sitting, { minLength: 1, maxLength: 3 }),
});
