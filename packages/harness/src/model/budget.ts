/** A ceiling in dollars around a model: a request that could pass it is not made. */

import { Failure } from "../error.ts";
import { priceOf, type Price } from "./catalogue.ts";
import { emptyReply, failureIn, type Delta, type Model, type Reply, type Respond, type Wrapper } from "./model.ts";
import { dollarsFor } from "./price.ts";
import { promptBound, type CountedPrompt, type PromptBound } from "./prompt-bound.ts";

export type BudgetOptions = {
  /** Dollars per million tokens by model id. Default: the catalogue. */
  priceOf?: ((modelId: string) => Price | undefined) | undefined;
  /** Dollars already gone, where a session goes on. */
  spent?: number | undefined;
  /** Where a session goes on, the last prompt that was counted of it, if that was by this model. Asked once for each model. */
  recalled?: ((modelId: string) => CountedPrompt | undefined) | undefined;
  /** Told what each request counts against the ceiling, in dollars: its worst case where nobody counted it. */
  onCharge?: ((dollars: number) => void) | undefined;
};

/** A reply shorter than this is not worth asking for. */
const minOutput = 1024;

/**
 * A ceiling in dollars that holds: before each request its worst case (see `promptBound`, at the dearest price of a
 * prompt, plus all of `maxTokens` as output) is set aside. Where it does not fit, `maxTokens` is lowered, with a
 * notice; where not even a short reply fits, the request is not made: a failed stop, E_DOLLAR_BUDGET. A reply that was
 * cut, aborted or not counted as a whole costs its worst case, for nobody says what it did cost. A model without a
 * price is refused, E_NO_PRICE. All models wrapped by one wrapper share its ceiling.
 */
export function dollarBudget(limit: number, options: BudgetOptions = {}): Wrapper {
  const prices = options.priceOf ?? priceOf;
  let left = limit - (options.spent ?? 0);
  /** Of what is gone, what no service has counted. */
  let assumed = 0;

  const answering = (inner: Model): Respond => {
    const price = prices(inner.id);
    if (price === undefined) return async () => emptyReply(inner.id, { failed: noPrice(inner.id) });
    let bound: Promise<PromptBound> | undefined;

    return async (request, sink, signal) => {
      const prompt = await (bound ??= opened(inner.id));
      const forPrompt = (prompt.worst(request) * dearestPrompt(price)) / 1_000_000;
      const affordable = Math.floor(((left - forPrompt) / price.output) * 1_000_000);
      const free = forPrompt === 0 && price.output === 0;
      if (!free && !(affordable >= Math.min(minOutput, request.maxTokens))) {
        return emptyReply(inner.id, { failed: spentFailure(limit, left, assumed) });
      }
      const maxTokens = free ? request.maxTokens : Math.min(request.maxTokens, affordable);
      if (maxTokens < request.maxTokens) {
        const text = `The reply is limited to ${maxTokens} tokens, so that it cannot pass the ceiling of $${limit}.`;
        sink({ type: "notice", code: "budget", text });
      }
      const worst = forPrompt + (maxTokens * price.output) / 1_000_000;
      left -= worst;
      const heard = listening(sink);
      const reply = await inner.respond({ ...request, maxTokens }, heard.sink, signal);
      const charge = chargeFor(reply, heard.anything(), price, worst);
      left += worst - charge;
      if (!isCounted(reply)) assumed += charge;
      options.onCharge?.(charge);
      prompt.learn(request, reply);
      return reply;
    };
  };

  async function opened(modelId: string): Promise<PromptBound> {
    const bound = await promptBound();
    const recalled = options.recalled?.(modelId);
    if (recalled !== undefined) bound.recall(recalled);
    return bound;
  }

  return (inner) => ({ ...inner, respond: answering(inner) });
}

/** Of a token of a prompt, however the service takes it. */
function dearestPrompt({ input, cacheRead, cacheWrite }: Price): number {
  return Math.max(input, cacheRead, cacheWrite);
}

/** `begun`: something of an answer was heard. A service may count its tokens only at the end. */
function chargeFor(reply: Reply, begun: boolean, price: Price, worst: number): number {
  if (isCounted(reply)) return dollarsFor(reply.usage, price);
  const failed = failureIn(reply.stop);
  const counted = promptTokens(reply) + reply.usage.output > 0;
  return failed !== undefined && !begun && !counted && unbilled.has(failed.code) ? 0 : worst;
}

/** Whether its usage is what the service will bill: no prompt is empty, and what was said has tokens. */
function isCounted(reply: Reply): boolean {
  const { message, stop, usage } = reply;
  const whole = failureIn(stop) === undefined && stop !== "aborted";
  const told = promptTokens(reply) > 0 && (usage.output > 0 || message.content.length === 0);
  return whole && told && usage.estimated !== true;
}

function promptTokens({ usage: { input, cacheRead, cacheWrite } }: Reply): number {
  return input + cacheRead + cacheWrite;
}

/** Notes whether anything of an answer passed. */
function listening(sink: (delta: Delta) => void): { sink: (delta: Delta) => void; anything: () => boolean } {
  let anything = false;
  return {
    sink: (delta) => {
      anything ||= delta.type !== "notice";
      sink(delta);
    },
    anything: () => anything,
  };
}

/** Failures that come instead of an answer; after something of it was heard or counted, they came in the middle of one. */
const unbilled: ReadonlySet<string> = new Set([
  "E_AUTH",
  "E_CREDIT",
  "E_MODEL_NOT_FOUND",
  "E_CONTEXT_FULL",
  "E_RATE_LIMIT",
  "E_OVERLOADED",
  "E_SERVER",
  "E_BAD_REQUEST",
  "E_REDIRECTED",
  "E_UNREACHABLE",
]);

function spentFailure(limit: number, left: number, assumed: number): Failure {
  const rest = Math.max(0, left).toFixed(4);
  const broken = assumed > 0 ? ` $${assumed.toFixed(4)} are the worst case of replies that came without a count.` : "";
  return new Failure(
    "E_DOLLAR_BUDGET",
    `The next request could pass the ceiling of $${limit}; $${rest} of it are left.${broken}`,
    {
      remedy: "Raise the ceiling, or go on in a new session with a shorter history.",
    },
  );
}

function noPrice(modelId: string): Failure {
  return new Failure("E_NO_PRICE", `There is no price for ${modelId}, so a ceiling in dollars cannot be kept.`, {
    remedy: "Configure its price, or run without the ceiling.",
  });
}
