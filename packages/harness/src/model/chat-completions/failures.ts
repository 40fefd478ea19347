/**
 * Every way a request to a compatible server can go wrong, as a Failure that knows the servers people run themselves.
 */

import { asFailure, Failure } from "../../error.ts";
import { fieldsOf, isObject, listIn, numberIn, textIn, type Fields } from "../../json.ts";
import { failureOfConnection, failureOfRefusal } from "../http-failure.ts";

export type Service = { provider: string; model: string; baseUrl: string; apiKey: string | undefined };

/** A server for one's own machine: known by name or port. */
type Local = { provider: string; port: string; start: string; get(model: string): string };

const locals: readonly Local[] = [
  {
    provider: "ollama",
    port: "11434",
    start: "Start Ollama: open its app or run `ollama serve`.",
    get: (model) => `Run \`ollama pull ${model}\`, or choose one that \`ollama list\` shows.`,
  },
  {
    provider: "lmstudio",
    port: "1234",
    start: "Start the server of LM Studio: switch it on in the app or run `lms server start`.",
    get: (model) => `Run \`lms get ${model}\`, or choose one that \`lms ls\` shows.`,
  },
];

/** What a refused request needs of the settings of its model, where a server says it plainly enough. */
const refused: readonly (readonly [message: RegExp, remedy: string])[] = [
  [/reasoning_(?:content|details)/, toSet('"reasoning": true')],
  [/unsupported parameter.*max_tokens/i, toSet('"limit": "max_completion_tokens"')],
  [/max_completion_tokens/, toSet('"limit": "max_tokens"')],
  [/stream_options/, toSet('"usage": false')],
  [/image(?:_url| input)/, toSet('"images": false')],
  [/does not support tools/, "Choose a model that can call tools: croft works with nothing else."],
];

function toSet(capability: string): string {
  return `Give the model \`"capabilities": { ${capability} }\` in \`models\` of the configuration.`;
}

/** The Failure for an answer with an error status. */
export function failureOfAnswer(status: number, body: string, headers: Headers, service: Service): Failure {
  const { type, message } = errorIn(json(body));
  const failure = failureOfRefusal({ status, type, message: message || body, headers }, service.apiKey);
  if (failure.code === "E_BAD_REQUEST") {
    const remedy = refused.find(([pattern]) => pattern.test(message))?.[1];
    return remedy === undefined ? failure : withRemedy(failure, remedy);
  }
  if (failure.code !== "E_MODEL_NOT_FOUND") return failure;
  if (message === "") {
    const remedy = "Check the base URL: `/chat/completions` is added to it, and most servers want it to end in `/v1`.";
    return withRemedy(failure, remedy);
  }
  const local = localOf(service);
  return local === undefined ? failure : withRemedy(failure, local.get(service.model));
}

/** The Failure for a chunk that reports an error, undefined for any other. */
export function failureOfChunk(chunk: Fields, apiKey: string | undefined): Failure | undefined {
  const holder = [chunk, ...listIn(chunk, "choices").map(fieldsOf)].find(isError);
  if (holder === undefined) return undefined;
  const { type, message, status } = errorIn(holder);
  const told = message || "it sent an error without a message";
  return failureOfRefusal({ status, type, message: told, headers: undefined }, apiKey);
}

/** The Failure for whatever was thrown while asking. */
export function failureOf(thrown: unknown, service: Service): Failure {
  if (thrown instanceof Failure) return thrown;
  if (!(thrown instanceof TypeError)) return asFailure(thrown);
  const failure = failureOfConnection(thrown, service.baseUrl, service.apiKey);
  const local = localOf(service);
  return local === undefined ? failure : withRemedy(failure, local.start);
}

/** An answer that is no completion, whatever its status says. */
export function malformed(what: string): Failure {
  return new Failure("E_BAD_ANSWER", `The answer is not a stream of chunks: ${what}.`, {
    remedy: "Check that the base URL leads to a server that speaks the Chat Completions API.",
    retryAfterMs: 0,
  });
}

function isError(fields: Fields): boolean {
  const { error, object, finish_reason: reason } = fields;
  return (error !== undefined && error !== null) || object === "error" || reason === "error";
}

type ErrorReport = { type: string | undefined; message: string; status: number | undefined };

/** Servers put an error into `error`, as an object or as words, into a list of one, or into the answer itself. */
function errorIn(value: unknown): ErrorReport {
  const fields = fieldsOf(Array.isArray(value) ? value[0] : value);
  const error = isObject(fields["error"]) ? fields["error"] : fields;
  const message = textIn(fields, "error") || textIn(error, "message") || textIn(error, "detail");
  // What the provider behind a gateway said: without it the message is but "Provider returned error".
  const behind = textIn(fieldsOf(error["metadata"]), "raw");
  return {
    type: textIn(error, "code") || textIn(error, "type") || undefined,
    message: behind === "" ? message : `${message}: ${behind}`,
    status: numberIn(error, "code"),
  };
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function localOf({ provider, baseUrl }: Service): Local | undefined {
  const port = URL.parse(baseUrl)?.port;
  return locals.find((local) => local.provider === provider || local.port === port);
}

function withRemedy({ code, message, retryAfterMs, cause }: Failure, remedy: string): Failure {
  return new Failure(code, message, { remedy, retryAfterMs, cause });
}
