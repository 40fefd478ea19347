/** A model behind the Anthropic Messages API, or behind a server that speaks it. */

import { originOf } from "../message.ts";
import type * as Sdk from "@anthropic-ai/sdk";
import { Failure } from "../error.ts";
import { gather } from "./anthropic/accumulate.ts";
import { failureOf, malformed, type Service } from "./anthropic/failures.ts";
import { eventsOfWhole } from "./anthropic/whole-message.ts";
import { toWire, type Capabilities, type Effort } from "./anthropic/wire.ts";
import { limitsOf } from "./catalogue.ts";
import { streamCut } from "./http-failure.ts";
import { parseJson } from "../json.ts";
import type { Model, Named, Respond } from "./model.ts";
import { placeNamedBy } from "./named-place.ts";
import { countdown, serverSentData, textPieces, type StreamLimits } from "./sse.ts";

export type AnthropicOptions = {
  /** Who serves the model, for its id. Default: anthropic. */
  provider?: string | undefined;
  /** As the service names it. */
  model: string;
  /** May be absent where a server asks for none. */
  apiKey?: string | undefined;
  /** Default: https://api.anthropic.com. */
  baseUrl?: string | undefined;
  /** Default: everything for a `claude-…` model, behind a gateway too; nothing for the models of other servers. */
  capabilities?: Partial<Capabilities> | undefined;
  /** Whether the model sees images. Default: a `claude-…` model does, another may be blind. */
  images?: boolean | undefined;
  /** Default: high. */
  effort?: Effort | undefined;
  /** Let the service hand a refused request to another model. Its price is another one: not under a ceiling. */
  fallbacks?: boolean | undefined;
  /** Tokens of a request and its reply. Default: what the catalogue knows, else a cautious number. */
  context?: number | undefined;
  /** Tokens of output at most. Default: as `context`. */
  output?: number | undefined;
  /** Milliseconds without a byte after which an answer counts as cut. Default: 120,000. */
  idleMs?: number | undefined;
  fetch?: typeof globalThis.fetch | undefined;
};

const home = "https://api.anthropic.com";
/** How long the end of a finished answer is waited for, so that its connection can be used again. */
const afterglowMs = 100;

/** The adapter. Nothing is loaded or sent before the first request; it never retries, that is the work of `retry`. */
export function anthropic(options: AnthropicOptions): Model {
  const { provider = "anthropic", model, apiKey } = options;
  const baseUrl = (options.baseUrl ?? home).replace(/\/v1\/*$/, "");
  const { effort = "high", fallbacks = false, idleMs = 120_000 } = options;
  const all = model.startsWith("claude-");
  const capabilities = { betas: all, caching: all, thinking: all, definedTools: all, ...options.capabilities };
  const id = `${provider}/${model}`;
  const origin = originOf(id);
  const service = { baseUrl, apiKey };

  const respond: Respond = async (request, sink, signal) => {
    let asked = 0;
    const answer = gather(origin, () => asked, sink);
    let sdk: typeof Sdk | undefined;
    try {
      signal.throwIfAborted();
      sdk = await import("@anthropic-ai/sdk");
      const client = connect(sdk, service, idleMs, options.fetch);
      const body = toWire(request, { model, capabilities, effort, fallbacks, origin });
      asked = Buffer.byteLength(JSON.stringify(body));
      const response = await client.beta.messages.create(body, { signal }).asResponse();
      const afterglow = countdown(afterglowMs);
      const limits = { idleMs: () => (answer.done ? afterglow() : idleMs), signal };
      for await (const event of eventsOf(response, limits)) if (!answer.done) answer.add(event);
      if (!answer.done) throw streamCut("The answer stopped before its end.");
    } catch (thrown) {
      if (answer.done) return answer.whole();
      if (signal.aborted) return answer.partial("aborted");
      const failed = failureOf(thrown, sdk, service);
      return answer.partial({ failed, named: blockNamed(failed) });
    }
    return answer.whole();
  };

  const known = limitsOf(id);
  const { context = known.context, output = known.output, images = all } = options;
  return { id, context, output, images, wantsAllResults: capabilities.betas, respond };
}

/** What a view holds is sent block by block, so that the places are the same. */
function blockNamed(failed: Failure): Named | undefined {
  const { message, part } = placeNamedBy(failed) ?? {};
  return message === undefined || part === undefined ? undefined : { message, blocks: [part] };
}

function connect(
  sdk: typeof Sdk,
  { baseUrl, apiKey }: Service,
  timeout: number,
  fetch: AnthropicOptions["fetch"],
): Sdk.Anthropic {
  if (!URL.canParse(baseUrl)) {
    throw new Failure("E_UNREACHABLE", `The base URL ${JSON.stringify(baseUrl)} is not a URL.`, {
      remedy: "Write it in full, like https://example.org.",
    });
  }
  if (apiKey === undefined && isHome(baseUrl)) {
    throw new Failure("E_AUTH", "There is no API key.", { remedy: "Set ANTHROPIC_API_KEY to a key of your account." });
  }
  if (apiKey !== undefined && !/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new Failure("E_AUTH", "The API key holds a space, a line break or another character that no key has.", {
      remedy: "Copy it again, without quotes and without a line break.",
    });
  }
  return new sdk.Anthropic({
    baseURL: baseUrl,
    // An empty key instead of none keeps the client from looking for one in files and the environment.
    apiKey: apiKey ?? "",
    webhookKey: null,
    defaultHeaders: headersFor(baseUrl, apiKey),
    maxRetries: 0,
    timeout,
    logLevel: "off",
    openTelemetry: false,
    // Followed to another host, the key and the project's text would go there.
    fetchOptions: { redirect: "manual" },
    ...(fetch !== undefined && { fetch }),
  });
}

/** Compatible servers look for the key in the one header or the other. */
function headersFor(baseUrl: string, apiKey: string | undefined): Record<string, string | null> {
  if (apiKey === undefined) return { authorization: null };
  return isHome(baseUrl) ? {} : { "x-api-key": apiKey };
}

function isHome(baseUrl: string): boolean {
  return URL.parse(baseUrl)?.origin === home;
}

/** Parsed but unchecked. */
async function* eventsOf(response: Response, limits: StreamLimits): AsyncGenerator {
  const type = response.headers.get("content-type") ?? "";
  if (response.body === null || type.includes("html")) {
    void response.body?.cancel();
    throw new Failure("E_BAD_ANSWER", `The server answered with ${type || "nothing"} instead of a stream.`, {
      remedy: "Check that the base URL leads to a server that speaks the Messages API; a login page may be in between.",
    });
  }
  if (type.includes("application/json")) {
    let text = "";
    for await (const piece of textPieces(response.body, limits)) text += piece;
    yield* eventsOfWhole(parsed(text));
  } else for await (const data of serverSentData(response.body, limits)) yield parsed(data);
}

function parsed(data: string): unknown {
  if (data === "[DONE]") return {};
  try {
    return parseJson(data);
  } catch {
    throw malformed("an event is not JSON");
  }
}
