/** Which requests get an answer: headers, key, JSON, shape, model, rules, memory, in the order the API checks them. */

import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { PlainAnswer } from "../http/delivery.ts";
import type { Invented } from "../http/invented.ts";
import { jsonOf } from "../http/serve.ts";
import type { Memory } from "./memory.ts";
import { parseRequest, type MessagesRequest, type Surface } from "./request.ts";
import { ruleComplaint } from "./rules.ts";
import { httpError } from "./script.ts";

export type Admission = { apiKey: string | null; models: readonly string[]; surface: Surface; madeUp: Invented };

const requestLimit = 32 * 1024 * 1024;

/** The request, or the answer that refuses it. */
export function admit(
  { method, url, headers }: IncomingMessage,
  bytes: Buffer,
  { apiKey, models, surface, madeUp }: Admission,
  said: Memory,
): MessagesRequest | PlainAnswer {
  const path = url?.split("?")[0];
  if (method !== "POST" || path !== "/v1/messages") return httpError(404, `${method} ${path}`);
  if (headerOf(headers, "anthropic-version") === "") return httpError(400, "anthropic-version: header is required");
  const key = headerOf(headers, "x-api-key") || headerOf(headers, "authorization").replace(/^Bearer /, "");
  // The key is repeated, as careless services do: nobody may pass such words on.
  if (apiKey !== null && key !== apiKey)
    return httpError(401, key === "" ? "API key is required" : `invalid key: ${key}`);
  if (bytes.length > requestLimit) return httpError(413, "Request exceeds the maximum size");
  const json = jsonOf(bytes);
  if (typeof json === "string") return httpError(400, `The request body is not valid JSON: ${json}`);
  const parsed = parseRequest(json.value, surface);
  if ("complaint" in parsed) return httpError(400, parsed.complaint);
  const { request } = parsed;
  if (!models.includes(request.model)) return httpError(404, `model: ${request.model}`);
  const complaint = ruleComplaint(request, betasOf(headers), surface, madeUp) ?? said.complaint(request);
  return complaint === undefined ? request : httpError(400, complaint);
}

function betasOf(headers: IncomingHttpHeaders): string[] {
  return headerOf(headers, "anthropic-beta")
    .split(",")
    .map((beta) => beta.trim())
    .filter((beta) => beta !== "");
}

function headerOf(headers: IncomingHttpHeaders, name: string): string {
  const value = headers[name];
  return typeof value === "string" ? value : "";
}
