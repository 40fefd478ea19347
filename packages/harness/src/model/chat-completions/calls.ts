/**
 * Tool calls from the pieces they stream in. By the book a piece belongs to the call of its `index`; servers leave the
 * index out, reuse 0 for every call, repeat id or name with every piece or send both empty, and some send a call a
 * second time.
 */

import type { ToolUseBlock } from "../../message.ts";
import { fieldsOf, isObject, numberIn, textIn, type Fields } from "../../json.ts";
import type { Delta } from "../model.ts";
import { parseToolInput } from "../tool-input.ts";
import { extrasIn } from "./call-extras.ts";

type Piece = { id: string; index: number | undefined; name: string; json: string; extras: Fields };
/** `own` is the id croft uses: the server's, or one made up where that is empty or taken. */
type PartialCall = Piece & { own: string };

export interface Calls {
  /** Takes a piece as it came, unchecked. */
  add(piece: Fields): void;
  /** The characters of input so far. */
  readonly chars: number;
  /** Whether every call's input is one whole JSON object. */
  readonly whole: boolean;
  /**
   * The calls in the order they began; a bad input stays the text it was, and `badInputs` says why. `extras`: what came
   * along with some, by id.
   */
  finish(): { calls: ToolUseBlock[]; badInputs: Map<string, string>; extras: ReadonlyMap<string, Fields> };
}

/** No calls yet. `taken` are the ids of the conversation so far; the growth of inputs goes to `sink`. */
export function gatherCalls(taken: ReadonlySet<string>, sink: (delta: Delta) => void): Calls {
  const calls: PartialCall[] = [];
  const fresh = freshIds(taken);

  const start = (piece: Piece): PartialCall => {
    const own = fresh(piece.id);
    const call = { ...piece, json: "", own };
    calls.push(call);
    return call;
  };

  const add = (fields: Fields): void => {
    const piece = pieceOf(fields);
    const open = openFor(piece, calls);
    const call = open !== undefined && continues(piece, open) ? open : start(piece);
    call.id ||= piece.id;
    call.name ||= piece.name;
    call.json += piece.json;
    call.extras = { ...call.extras, ...piece.extras };
    sink({ type: "tool_input", id: call.own, name: call.name, chars: call.json.length });
  };

  const finish = (): ReturnType<Calls["finish"]> => {
    const badInputs = new Map<string, string>();
    const isRepeated = repetitions();
    const real = calls.filter((call) => !isNothing(call) && !isRepeated(call));
    const finished = real.map(({ own, name, json }): ToolUseBlock => {
      const parsed = parseToolInput(json);
      if ("problem" in parsed) badInputs.set(own, parsed.problem);
      return { type: "tool_use", id: own, name, input: "problem" in parsed ? json : parsed.input };
    });
    return { calls: finished, badInputs, extras: new Map(real.map(({ own, extras }) => [own, extras])) };
  };

  return {
    add,
    get chars() {
      return calls.reduce((sum, { json }) => sum + json.length, 0);
    },
    get whole() {
      return calls.every(({ json }) => isWhole(json));
    },
    finish,
  };
}

function pieceOf(fields: Fields): Piece {
  const { arguments: json, ...rest } = fieldsOf(fields["function"]);
  return {
    id: textIn(fields, "id"),
    index: numberIn(fields, "index"),
    name: textIn(rest, "name"),
    json: typeof json === "string" ? json : isObject(json) ? JSON.stringify(json) : "",
    extras: extrasIn(fields),
  };
}

/** The call a piece would go on with. One without id and index goes on with the last one. */
function openFor({ id, index, name }: Piece, calls: readonly PartialCall[]): PartialCall | undefined {
  const named = calls.findLast((call) => id !== "" && call.id === id && isAt(index, call));
  if (named !== undefined) return named;
  if (index !== undefined) return calls.findLast((call) => call.index === index);
  return id === "" || name === "" ? calls.at(-1) : undefined;
}

function isAt(index: number | undefined, call: PartialCall): boolean {
  return index === undefined || call.index === undefined || call.index === index;
}

/**
 * A piece that names no tool begins no call; one that does, goes on only with an unfinished call of that tool and id.
 */
function continues(piece: Piece, call: PartialCall): boolean {
  if (piece.name === "") return true;
  if (piece.id !== "" && call.id !== "" && piece.id !== call.id) return false;
  if (call.name !== "" && piece.name !== call.name) return false;
  return !isWhole(call.json);
}

function isWhole(json: string): boolean {
  return json.trimEnd().endsWith("}") && "input" in parseToolInput(json);
}

function isNothing({ name, json }: PartialCall): boolean {
  return name === "" && json === "";
}

/**
 * Tells of one call after the other whether it was sent before: under the same id or, where it has none, in the same
 * place.
 */
function repetitions(): (call: PartialCall) => boolean {
  const sent = new Set<string>();
  return ({ id, index, name, json }) => {
    const said = [name, canonical(json)];
    const byId = JSON.stringify(["id", id, ...said]);
    const byIndex = JSON.stringify(["index", index, ...said]);
    const known = id === "" ? index !== undefined && sent.has(byIndex) : sent.has(byId);
    sent.add(byId).add(byIndex);
    return known;
  };
}

function canonical(json: string): string {
  const parsed = parseToolInput(json);
  return "problem" in parsed ? json : JSON.stringify(parsed.input);
}

/**
 * Gives the id itself where it is free, else the first free one made from it: the same again for the same conversation.
 */
function freshIds(taken: ReadonlySet<string>): (id: string) => string {
  const ids = new Set(taken);
  const numbers = new Map<string, number>();
  const free = (id: string): string => {
    if (id !== "" && !ids.has(id)) return id;
    for (let number = numbers.get(id) ?? 1; ; number += 1) {
      const made = `${id || "call"}_${number}`;
      if (ids.has(made)) continue;
      numbers.set(id, number + 1);
      return made;
    }
  };
  return (id) => {
    const own = free(id);
    ids.add(own);
    return own;
  };
}
