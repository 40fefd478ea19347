/** What was said, by either side. Calls and their results are rows of their own. */

import type { AssistantMessage, Message, UserMessage } from "@croft/harness";
import { grouped } from "../ui/numbers.ts";
import type { Part, Row } from "./row.ts";
import { image, json, line, markdown, text } from "./say.ts";

/** Undefined where nothing is left to be shown. */
export function messageRow(message: Message, at: number): Row | undefined {
  const body = message.role === "user" ? userParts(message) : assistantParts(message);
  if (body.length === 0) return undefined;
  const characters = body.reduce((sum, part) => sum + ("text" in part ? part.text.length : 0), 0);
  const note = `${grouped(characters)} characters`;
  const [first] = body;
  if (first?.as === "text" && body.every(({ as }) => as === "text")) {
    return { head: { kind: "message", at, title: `Model, ${first.label}: ${line(first.text)}`, note }, body };
  }
  return {
    head: { kind: "message", at, title: message.role === "user" ? "User" : "Model", note, open: true },
    body: folded(body),
  };
}

function userParts({ content }: UserMessage): Part[] {
  return content.flatMap((block) => {
    if (block.type === "text") return [markdown(block.text)];
    return block.type === "image" ? [image(block.mediaType, block.base64)] : [];
  });
}

function assistantParts({ content }: AssistantMessage): Part[] {
  return content.flatMap((block) => {
    if (block.type === "text") return block.text.trim() === "" ? [] : [markdown(block.text)];
    return block.type === "opaque" ? [opaque(block.raw)] : [];
  });
}

/** What a provider says beside text and calls: mostly thinking. */
function opaque(raw: unknown): Part {
  if (typeof raw !== "object" || raw === null) return text("block", json(raw));
  const { type, thinking, text: words }: { type?: unknown; thinking?: unknown; text?: unknown } = raw;
  const label = typeof type === "string" ? type.replaceAll("_", " ") : "block";
  const said = [thinking, words].find((each) => typeof each === "string" && each !== "");
  return text(label, typeof said === "string" ? said : json(raw));
}

/** Beside words the rest is folded away. */
function folded(body: readonly Part[]): Part[] {
  return body.map((part) => (part.as === "text" ? { ...part, folded: true } : part));
}
