/** One request over HTTP, and the chunks of its answer. */

import { Failure } from "../../error.ts";
import { streamCut } from "../http-failure.ts";
import { parseJson } from "../../json.ts";
import { serverSentData, textPieces, type StreamLimits } from "../sse.ts";
import { failureOfAnswer, malformed, type Service } from "./failures.ts";

export type Client = {
  headers?: Readonly<Record<string, string>> | undefined;
  fetch?: typeof globalThis.fetch | undefined;
};

/** The answer to the request, once its status is known to be a good one. Throws Failure, or whatever fetch throws. */
export async function post(
  body: string,
  service: Service,
  { headers, fetch = globalThis.fetch }: Client,
  limits: StreamLimits,
): Promise<Response> {
  const url = addressOf(service.baseUrl);
  const late = new AbortController();
  const timer = setTimeout(
    () => late.abort(streamCut(`${service.baseUrl} did not begin to answer in time.`)),
    limits.idleMs(),
  );
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: headersOf(service.apiKey, headers),
      body,
      // Followed to another host, the headers and the project's text would go there.
      redirect: "manual",
      signal: AbortSignal.any([limits.signal, late.signal]),
    });
    if (response.ok) return response;
    throw failureOfAnswer(response.status, await wholeText(response, limits), response.headers, service);
  } finally {
    clearTimeout(timer);
  }
}

function addressOf(baseUrl: string): URL {
  const url = URL.parse(baseUrl);
  if (url === null) {
    throw new Failure("E_UNREACHABLE", `The base URL ${JSON.stringify(baseUrl)} is not a URL.`, {
      remedy: "Write it in full, like http://localhost:11434/v1.",
    });
  }
  url.pathname = `${url.pathname.replace(/\/+$/, "")}/chat/completions`;
  return url;
}

/** What fetch says of a bad header quotes its value, so the check comes first. */
function headersOf(apiKey: string | undefined, others: Client["headers"]): Headers {
  const given = { ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }), ...others };
  const bad = Object.entries(given).find(([, value]) => !/^[\x20-\x7e]*$/.test(value));
  if (bad !== undefined) {
    throw new Failure("E_AUTH", `The header ${bad[0]} holds a line break or another character that no header can.`, {
      remedy: "Copy the key or value again, without a line break.",
    });
  }
  return new Headers({ ...given, "content-type": "application/json" });
}

/**
 * The chunks of an answer, parsed but unchecked, and `[DONE]` if the server says so. An answer in one piece is its only
 * chunk.
 */
export async function* chunksOf(response: Response, limits: StreamLimits): AsyncGenerator {
  const type = response.headers.get("content-type") ?? "";
  if (response.body === null || type.includes("html")) {
    void response.body?.cancel();
    throw new Failure("E_BAD_ANSWER", `The server answered with ${type || "nothing"} instead of a completion.`, {
      remedy:
        "Check that the base URL leads to a server that speaks the Chat Completions API; a login page may be in between.",
    });
  }
  if (type.includes("json")) {
    yield parsed(await wholeText(response, limits));
    yield "[DONE]";
  } else {
    for await (const data of serverSentData(response.body, limits))
      yield data.trim() === "[DONE]" ? "[DONE]" : parsed(data);
  }
}

async function wholeText({ body }: Response, limits: StreamLimits): Promise<string> {
  let text = "";
  if (body !== null) for await (const piece of textPieces(body, limits)) text += piece;
  return text;
}

function parsed(data: string): unknown {
  try {
    return parseJson(data);
  } catch {
    throw malformed("a chunk is not JSON");
  }
}
