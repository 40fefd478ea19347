/** Calls that a server took for text: the model calls tools, and nobody runs them. */

import { Failure } from "../../error.ts";

/** How the templates of models begin a call, or a list of them. */
const beginnings = [
  "<tool_call>",
  "<function=",
  "<invoke name=",
  String.raw`\[TOOL_CALLS\]`,
  String.raw`<\|python_tag\|>`,
  String.raw`<\|tool_calls_section_begin\|>`,
  "<｜tool▁calls▁begin｜>",
  String.raw`<\|channel\|>commentary`,
  String.raw`^\s*(?:\x60{3}(?:json)?\s*)?\[?\{\s*"name"\s*:`,
];
const end = /[>}\]|`]\s*$/;
/** Characters from the beginning of a call within which its tool is named. */
const nameWithin = 120;

/** Whether a text ends in a call of one of `tools`, written out. */
export function endsInCall(text: string, tools: ReadonlySet<string>): boolean {
  if (!end.test(text)) return false;
  const starts = Array.from(text.matchAll(new RegExp(beginnings.join("|"), "g")), ({ index }) => index);
  return starts.some((at) => (text.slice(at, at + nameWithin).match(/[\w-]+/g) ?? []).some((word) => tools.has(word)));
}

export function callsInText(): Failure {
  return new Failure(
    "E_CALLS_IN_TEXT",
    "The model called tools, but its server left the calls in the text of the answer.",
    {
      remedy:
        "Switch its parser for tool calls on (vLLM: `--enable-auto-tool-choice` and `--tool-call-parser`, llama.cpp: `--jinja`), or choose a model whose template has tools.",
    },
  );
}
