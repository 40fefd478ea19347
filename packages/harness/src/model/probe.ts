/** Whether a service answers, without asking its model anything. */

import { fieldsOf, listIn, textIn, tryParseJson } from "../json.ts";

export type Service = {
  /** Which API it speaks. */
  api: "messages" | "chat-completions";
  /** As the adapter of that API takes it. */
  baseUrl: string;
  apiKey?: string | undefined;
};

/** The status of its answer, whatever it is, with the models that it lists, if it does; or why there was none. */
export type Reach = { status: number; models?: readonly string[] } | { unreachable: string };

/** `end`: what of a base URL the path stands in place of. */
type Way = { end: RegExp; path: string; headers: (apiKey: string) => Record<string, string> };

/** Both APIs list their models for nothing; a server that has no such list answers too. */
const ways: Readonly<Record<Service["api"], Way>> = {
  messages: {
    end: /(?:\/v1)?\/*$/,
    path: "/v1/models?limit=1000",
    headers: (apiKey) => ({ "x-api-key": apiKey, "anthropic-version": "2026-10-21" }),
  },
  "chat-completions": {
    end: /\/*$/,
    path: "/models",
    headers: (apiKey) => ({ authorization: `Bearer ${apiKey}` }),
  },
};

/**
 * Asks for the list of models, once, for `ms` milliseconds at most. The key goes there and nowhere else. Never throws.
 */
export async function probeService(service: Service, ms: number, signal: AbortSignal): Promise<Reach> {
  const { end, path, headers } = ways[service.api];
  const timeout = AbortSignal.timeout(ms);
  try {
    const response = await fetch(`${service.baseUrl.replace(end, "")}${path}`, {
      headers: service.apiKey === undefined ? {} : headers(service.apiKey),
      redirect: "manual",
      signal: AbortSignal.any([signal, timeout]),
    });
    const models = response.ok ? modelsIn(await startOf(response)) : undefined;
    if (!response.ok) await response.body?.cancel();
    return { status: response.status, ...(models !== undefined && { models }) };
  } catch (thrown) {
    return { unreachable: timeout.aborted ? `no answer within ${ms / 1000} s` : reasonOf(thrown) };
  }
}

/** Bytes of a list that are looked at: whatever answers there may answer without end. */
const most = 1_000_000;

async function startOf({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  for await (const piece of body ?? []) {
    size += piece.byteLength;
    if (size > most) break;
    text += decoder.decode(piece, { stream: true });
  }
  return text;
}

/** `{"data": [{"id": …}]}` in both APIs; undefined for what is no such list, is empty, or says that there is more. */
function modelsIn(text: string): string[] | undefined {
  const list = fieldsOf(tryParseJson(text));
  const ids = listIn(list, "data").map((entry) => textIn(fieldsOf(entry), "id"));
  return ids.length === 0 || ids.includes("") || list["has_more"] === true ? undefined : ids;
}

/** fetch says "fetch failed" and hides the reason; and what it says of a bad header quotes the key. */
function reasonOf(thrown: unknown): string {
  const cause = thrown instanceof Error && thrown.cause instanceof Error ? thrown.cause : undefined;
  if (cause === undefined) return "the request cannot be sent";
  return "code" in cause && typeof cause.code === "string" ? cause.code : cause.message;
}
