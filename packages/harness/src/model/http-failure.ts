/**
 * What a model service said or did not say, as a Failure: a stable code, plain words, and whether trying again may
 * help.
 */

import { Failure, messageOf } from "../error.ts";

export type Refusal = {
  /** The HTTP status; undefined for an error inside a stream that began well. */
  status: number | undefined;
  /** The service's own name for the kind of error, if it gave one. */
  type: string | undefined;
  message: string;
  headers: Headers | undefined;
};

/** Characters of what a service says that are looked at, be it a page or worse. */
const maxMessageLength = 4_000;

type Kind = { code: string; what: string; remedy: string; retry: boolean };

const kinds = {
  auth: {
    code: "E_AUTH",
    what: "The service did not accept the API key",
    remedy: "Check that the key is complete, still valid and meant for this service.",
    retry: false,
  },
  forbidden: {
    code: "E_AUTH",
    what: "The API key may not do this",
    remedy:
      "Check what the key and its workspace are allowed to use; a proxy in between can also be the one that refuses.",
    retry: false,
  },
  credit: {
    code: "E_CREDIT",
    what: "The account cannot pay for this request",
    remedy: "Check the balance and the spending limit of the account.",
    retry: false,
  },
  model: {
    code: "E_MODEL_NOT_FOUND",
    what: "The service does not know the model or the address",
    remedy: "Check the name of the model and the base URL.",
    retry: false,
  },
  contextFull: {
    code: "E_CONTEXT_FULL",
    what: "The request is larger than the service takes",
    remedy: "Start a new session, or ask for less at a time.",
    retry: false,
  },
  rateLimit: {
    code: "E_RATE_LIMIT",
    what: "The service limits how much may be asked at a time",
    remedy: "Wait, or raise the limits of the account.",
    retry: true,
  },
  overloaded: { code: "E_OVERLOADED", what: "The service is overloaded", remedy: "Try again later.", retry: true },
  server: { code: "E_SERVER", what: "The service failed", remedy: "Try again later.", retry: true },
  redirected: {
    code: "E_REDIRECTED",
    what: "The service sends requests to another address, which croft does not follow, for the key would go there",
    remedy: "If you trust that address, make it the base URL.",
    retry: false,
  },
  badRequest: {
    code: "E_BAD_REQUEST",
    what: "The service rejected the request",
    remedy:
      "If the server is a compatible one, it may lack a feature that was asked of it; otherwise report this message.",
    retry: false,
  },
} as const satisfies Record<string, Kind>;

/** The Failure for an answer that is an error or a redirection. `secret` never appears in it. */
export function failureOfRefusal(said: Refusal, secret: string | undefined): Failure {
  const refusal = { ...said, message: said.message.slice(0, maxMessageLength) };
  const { code, what, remedy, retry } = kindOf(refusal);
  const told = spoken(code === "E_REDIRECTED" ? (refusal.headers?.get("location") ?? "") : refusal.message, secret);
  const status = refusal.status === undefined ? "" : ` (HTTP ${refusal.status})`;
  const mayRetry = retry && refusal.headers?.get("x-should-retry") !== "false";
  return new Failure(code, `${what}${status}${told === "" ? "." : `: ${sentence(told)}`}`, {
    remedy,
    retryAfterMs: mayRetry ? retryAfterMs(refusal.headers) : undefined,
  });
}

/** How services say that a request does not fit the model. */
const tooLong = new RegExp(
  [
    "prompt is too long", // Anthropic
    "input is too long", // Bedrock
    "context.length", // OpenAI, vLLM, OpenRouter, LM Studio, Mistral, Groq
    "exceeds? (the )?(available )?context", // OpenAI, llama.cpp; Anthropic, where max_tokens is counted too
    "longer than the maximum model length", // newer vLLM
    "prompt token count.*exceeds", // GitHub Copilot
    "too large for .*tokens per min", // OpenAI: no wait makes it fit
    "range of input length should be", // DashScope
    "token limit exceeded",
    "too many (input )?tokens(?!, please wait)", // Cohere; with those words Bedrock limits a rate
    "context window exceeds", // MiniMax
    "reduce the length of the messages", // Groq
    "maximum prompt length", // xAI
    "input token count.*exceeds", // Gemini
    "exceeded model token limit", // Kimi
    "max_new_tokens. must be", // Text Generation Inference
    "prompt exceeds max length", // Z.AI
  ].join("|"),
  "i",
);

function kindOf({ status, type, message }: Refusal): Kind {
  if (status !== undefined && status >= 300 && status < 400) return kinds.redirected;
  if (status === 413 || type === "request_too_large" || tooLong.test(`${type} ${message}`)) return kinds.contextFull;
  if (status === 529 || type === "overloaded_error") return kinds.overloaded;
  if (status === 402 || type === "billing_error" || type === "insufficient_quota") return kinds.credit;
  if (status === 429 || type === "rate_limit_error") return kinds.rateLimit;
  if (status === 401 || type === "authentication_error") return kinds.auth;
  if (status === 403 || type === "permission_error") return kinds.forbidden;
  if (status === 404 || type === "not_found_error") return kinds.model;
  if (type === "invalid_request_error") return kinds.badRequest;
  const passing = status === undefined || status >= 500 || status === 408 || status === 409;
  return passing ? kinds.server : kinds.badRequest;
}

/**
 * The Failure for a call of fetch that threw. E_UNREACHABLE: the request never left. E_STREAM_CUT: it may have been
 * worked on when the connection broke.
 */
export function failureOfConnection(thrown: unknown, address: string, secret: string | undefined): Failure {
  const code = causeCode(thrown) ?? "";
  const message = spoken(messageOf(thrown), secret);
  const named = message === "fetch failed" ? code : `${code}, ${message}`;
  const why = code === "" || message.includes(code) ? message : named;
  const distrusted = /CERT|SSL|TLS/.test(code);
  if (!distrusted && !unsent.has(code))
    return streamCut(`The connection to ${address} broke before the answer: ${why}.`);
  return new Failure("E_UNREACHABLE", `No connection to ${address}: ${why}.`, {
    remedy: distrusted
      ? "The certificate is not trusted here; a proxy may need its own in NODE_EXTRA_CA_CERTS."
      : "Check the network and the base URL, and that the server is running.",
    retryAfterMs: unsent.get(code) === "passing" ? 0 : undefined,
  });
}

/** Connections that never came about, and whether that may pass within seconds. */
const unsent: ReadonlyMap<string, "lasting" | "passing"> = new Map([
  ["ECONNREFUSED", "lasting"],
  ["ENOTFOUND", "lasting"],
  // fetch itself refuses ports of other protocols, with no code.
  ["bad port", "lasting"],
  ["EAI_AGAIN", "passing"],
  ["EHOSTUNREACH", "passing"],
  ["ENETUNREACH", "passing"],
  ["UND_ERR_CONNECT_TIMEOUT", "passing"],
]);

/** An answer that stopped before its end; asking again may help. */
export function streamCut(message: string, cause?: unknown): Failure {
  return new Failure("E_STREAM_CUT", message, {
    remedy: "Nothing of it was run. Try again; if it happens often, look at the network or proxy in between.",
    retryAfterMs: 0,
    cause,
  });
}

/** fetch hides the reason in a chain of causes; with several addresses tried, in a list of them. */
function causeCode(thrown: unknown): string | undefined {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    if ("code" in error && typeof error.code === "string") return error.code;
    if (error.message === "bad port") return error.message;
    if (error instanceof AggregateError) return causeCode(error.errors[0]);
  }
  return undefined;
}

/** Milliseconds the service asks to wait, 0 where it names none. */
function retryAfterMs(headers: Headers | undefined): number {
  const exact = Number.parseFloat(headers?.get("retry-after-ms") ?? "");
  if (exact >= 0) return exact;
  const after = headers?.get("retry-after") ?? "";
  const seconds = Number(after);
  if (after !== "" && seconds >= 0) return seconds * 1000;
  const date = Date.parse(after);
  return Number.isNaN(date) ? 0 : Math.max(0, date - Date.now());
}

/** What follows is a sentence of its own. */
function sentence(words: string): string {
  return /[.!?…]$/.test(words) ? words : `${words}.`;
}

/** Characters. What a local server is given for a key ("x", "none") is no secret, and stands in many a word. */
const shortestSecret = 8;

/** A service's words on one short line: no page of HTML, no key that it echoes back. */
function spoken(message: string, secret: string | undefined): string {
  const page = /<html|<!doctype/i.test(message);
  const title = /<title[^>]*>([^<]*)/i.exec(message)?.[1] ?? "";
  const words = page ? `an HTML page instead of an answer ${title.trim() && `("${title.trim()}")`}` : message;
  const hidden = secret === undefined || secret.length < shortestSecret ? words : words.replaceAll(secret, "[key]");
  const line = hidden.replaceAll(/\s+/g, " ").trim();
  return line.length > 400 ? `${line.slice(0, 400)}…` : line;
}
