/** Events for plain lines, with the model's text shown line by line as it comes instead of at the end. */

import type { Event } from "@croft/harness";
import { escapeText } from "../escape.ts";
import type { Output } from "../output.ts";

/** Hands on to `show` whatever it does not show itself. */
export function streamed(out: Output, show: (event: Event) => void): (event: Event) => void {
  let unfinished = "";
  /** Whether any of the reply that comes was shown, and any of the last one. */
  let begun = false;
  let spoken = false;

  function flush(): void {
    if (unfinished !== "") out.write(`${escapeText(unfinished)}\n`);
    unfinished = "";
  }

  return (event) => {
    if (event.type === "delta" && event.delta.type === "text") {
      begun = true;
      const lines = (unfinished + event.delta.text).split("\n");
      unfinished = lines.pop() ?? "";
      for (const line of lines) out.write(`${escapeText(line)}\n`);
      return;
    }
    if (event.type === "delta" && event.delta.type === "discard") {
      if (begun) out.write(`${escapeText(unfinished)}\n(the reply is begun again)\n`);
      unfinished = "";
      begun = false;
    }
    if (event.type === "delta") return show(event);
    flush();
    if (event.type === "message" && event.message.role === "assistant") {
      if (!begun) show(event);
      spoken = begun;
      begun = false;
      return;
    }
    if (event.type === "stop") {
      show(begun || spoken ? { ...event, answer: "" } : event);
      begun = false;
      spoken = false;
      return;
    }
    show(event);
  };
}
