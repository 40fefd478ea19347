/** In what servers stray from the book, one switch each. */

export type Quirks = {
  /** Which index the pieces of a call carry. */
  index: "right" | "zero" | "absent";
  /** Where the id of a call stands: in its first piece, in all, empty in the later ones, or never a usable one. */
  ids: "first" | "every" | "blank_later" | "empty" | "absent" | "same";
  names: "first" | "every" | "blank_later";
  arguments: "pieces" | "whole" | "object";
  /** Each call is sent a second time, whole. */
  twice: boolean;
  /** Whether these fields are sent. */
  type: boolean;
  role: boolean;
  /** Fields that do not apply are null instead of absent. */
  nulls: boolean;
  content: "text" | "parts";
  reasoning: "reasoning_content" | "reasoning" | "reasoning_details";
  /** What finish_reason says of an answer with calls; `absent`: nothing, of any answer. */
  finish: "right" | "stop" | "function_call" | "absent";
  usage: "last" | "with_finish" | "every" | "absent";
  /** The last chunk holds the whole message again, in place of a delta. */
  recap: boolean;
  /** A second choice beside the one that was asked for, sent before it. */
  choices: 1 | 2;
  /** Whether `[DONE]` is sent. */
  done: boolean;
  eol: "\n" | "\r\n" | "\r";
  /** Whether a space follows `data:`. */
  space: boolean;
  /** Comments and empty lines between the chunks, as they keep connections open. */
  comments: boolean;
  /** False: the answer comes in one piece of JSON. */
  stream: boolean;
};

/** A server that keeps to the book. */
export const byTheBook: Quirks = {
  index: "right",
  ids: "first",
  names: "first",
  arguments: "pieces",
  twice: false,
  type: true,
  role: true,
  nulls: false,
  content: "text",
  reasoning: "reasoning_content",
  finish: "right",
  usage: "last",
  recap: false,
  choices: 1,
  done: true,
  eol: "\n",
  space: true,
  comments: false,
  stream: true,
};
