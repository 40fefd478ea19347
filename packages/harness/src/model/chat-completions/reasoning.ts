/** Reasoning that servers of the Chat Completions API send along, each under a name of its own. */

import { fieldsOf, listIn, textIn, type Fields } from "../../json.ts";

export interface Reasoning {
  /** Takes what a piece of a message holds of it; gives the words to show. */
  add(said: Fields): string;
  /** The fields as they came, undefined where there were none. */
  readonly raw: Fields | undefined;
}

/** What a model thought before it answered, under the three names servers have for it: kept as it came, never read. */
export function gatherReasoning(): Reasoning {
  const raw: Fields = {};
  const allDetails: unknown[] = [];
  const add = (said: Fields): string => {
    for (const key of ["reasoning_content", "reasoning"]) {
      const words = textIn(said, key);
      if (words !== "") raw[key] = textIn(raw, key) + words;
    }
    const details = listIn(said, "reasoning_details");
    for (const detail of details) allDetails.push(detail);
    if (details.length > 0) raw["reasoning_details"] = allDetails;
    // The fields say the same thing in different shapes: one of them is shown.
    return textIn(said, "reasoning_content") || textIn(said, "reasoning") || details.map(textOfDetail).join("");
  };
  return {
    add,
    get raw() {
      return Object.keys(raw).length === 0 ? undefined : raw;
    },
  };
}

function textOfDetail(detail: unknown): string {
  const fields = fieldsOf(detail);
  return textIn(fields, "text") || textIn(fields, "summary");
}
