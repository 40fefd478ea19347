/**
 * JSON read where it stands: a value is a range of bytes, and nothing of it is made that was not asked for. So numbers
 * keep all their digits, and a document takes no more memory than its bytes.
 */

import { Failure } from "../../error.ts";

/** From the first byte of a value to the one behind its last. */
export type Span = { readonly from: number; readonly to: number };
/** `key`: with its quotes. */
export type Member = { readonly key: Span; readonly value: Span };

export type JsonType = "object" | "array" | "string" | "number" | "boolean" | "null";

/** Levels within each other. */
const maxDepth = 1_000;

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openObject, closeObject, openArray, closeArray] = [0x7b, 0x7d, 0x5b, 0x5d];

/**
 * The one value in a range of bytes, by default all, blanks around it. What is behind the range begins with what is
 * neither JSON nor blank. Throws E_BAD_JSON, which tells where.
 */
export function wholeValue(bytes: Buffer, range: Span = { from: 0, to: bytes.length }): Span {
  const from = skipBlanks(bytes, range.from);
  const to = endOfValue(bytes, from);
  const rest = skipBlanks(bytes, to);
  if (rest < range.to) throw badJson(bytes, rest, "expected nothing more");
  return { from, to };
}

/** What kind of value begins there. */
export function typeAt(bytes: Buffer, { from }: Pick<Span, "from">): JsonType {
  const first = bytes[from];
  if (first === openObject) return "object";
  if (first === openArray) return "array";
  if (first === quote) return "string";
  if (first === 0x74 || first === 0x66) return "boolean";
  return first === 0x6e ? "null" : "number";
}

/** The members of an object in order, also those whose key comes twice. Throws E_BAD_JSON. */
export function* membersOf(bytes: Buffer, object: Span): Generator<Member> {
  let at = skipBlanks(bytes, object.from + 1);
  while (bytes[at] !== closeObject) {
    const key = { from: at, to: endOfString(bytes, at) };
    const from = startBehindKey(bytes, key.to);
    const to = endOfValue(bytes, from);
    yield { key, value: { from, to } };
    at = nextIn(bytes, to, closeObject);
  }
}

/** The items of an array in order. Throws E_BAD_JSON. */
export function* itemsOf(bytes: Buffer, array: Span): Generator<Span> {
  let at = skipBlanks(bytes, array.from + 1);
  while (bytes[at] !== closeArray) {
    const to = endOfValue(bytes, at);
    yield { from: at, to };
    at = nextIn(bytes, to, closeArray);
  }
}

/** A name or, in an array, the number of an item; `bytes` is its text in UTF-8. */
export type Step = { readonly name: string | number; readonly bytes: Buffer };
/** Where steps lead, or how many of them lead somewhere. */
export type Followed = { readonly found: Span | undefined; readonly reached: number };

/**
 * Goes down to what stands at a path, reading each byte once however far down that is. Of a key that comes twice the last
 * counts. Throws E_BAD_JSON.
 */
export function follow(bytes: Buffer, value: Span, path: readonly Step[]): Followed {
  return descend(bytes, value.from, { path, taken: 0 });
}

type Way = { readonly path: readonly Step[]; readonly taken: number };

/** `to` is behind the value. No deeper than `maxDepth`, for the value has been gone through before. */
function descend(bytes: Buffer, from: number, { path, taken }: Way): Followed & { to: number } {
  const step = path[taken];
  const type = typeAt(bytes, { from });
  const isWay = type === "object" || (type === "array" && step !== undefined && /^\d+$/.test(String(step.name)));
  if (step === undefined || !isWay) {
    const to = endOfValue(bytes, from);
    return { to, found: step === undefined ? { from, to } : undefined, reached: taken };
  }
  const below = { path, taken: taken + 1 };
  let way: Followed = { found: undefined, reached: taken };
  const close = type === "object" ? closeObject : closeArray;
  let at = skipBlanks(bytes, from + 1);
  for (let index = 0; bytes[at] !== close; index++) {
    const keyEnd = type === "object" ? endOfString(bytes, at) : at;
    const isNext = type === "object" ? isText(bytes, at, keyEnd, step.bytes) : index === Number(step.name);
    if (type === "object") at = startBehindKey(bytes, keyEnd);
    const part = isNext ? descend(bytes, at, below) : undefined;
    way = part ?? way;
    at = nextIn(bytes, part?.to ?? endOfValue(bytes, at), close);
  }
  return { to: at + 1, found: way.found, reached: way.reached };
}

/** The text that a string stands for. Bytes that are no UTF-8 are lost in it: it is for comparing. */
export function stringAt(bytes: Buffer, { from, to }: Span): string {
  const inner = bytes.toString("utf8", from + 1, to - 1);
  return inner.includes("\\") ? String(JSON.parse(`"${inner}"`)) : inner;
}

/** Whether a string stands for a text, given as UTF-8. */
function isText(bytes: Buffer, from: number, to: number, text: Buffer): boolean {
  const size = to - from - 2;
  for (let at = 0; at < size; at++) {
    const byte = bytes[from + 1 + at];
    if (byte === backslash) return stringAt(bytes, { from, to }) === text.toString();
    if (byte !== text[at]) return false;
  }
  return size === text.length;
}

/** Where the next member or item begins, or the end of what they are in. */
function nextIn(bytes: Buffer, end: number, close: number): number {
  const at = skipBlanks(bytes, end);
  if (bytes[at] === close) return at;
  if (bytes[at] !== comma) throw badJson(bytes, at, `expected "," or "${String.fromCharCode(close)}"`);
  const next = skipBlanks(bytes, at + 1);
  if (bytes[next] === close) throw badJson(bytes, next, "expected a value behind the comma");
  return next;
}

/** Goes through a value without a stack of calls, however deep it is. */
function endOfValue(bytes: Buffer, start: number): number {
  if (bytes[start] === quote) return endOfString(bytes, start);
  if (bytes[start] !== openObject && bytes[start] !== openArray) return endOfScalar(bytes, start);
  const open: number[] = [];
  let at = start;
  for (;;) {
    const first = bytes[at] ?? -1;
    if (first === openObject || first === openArray) {
      if (open.push(first + 2) > maxDepth) throw badJson(bytes, at, `more than ${maxDepth} levels`);
      at = skipBlanks(bytes, at + 1);
      if (bytes[at] !== first + 2) {
        if (first === openObject) at = startBehindKey(bytes, endOfString(bytes, at));
        continue;
      }
      open.pop();
      at += 1;
    } else at = first === quote ? endOfString(bytes, at) : endOfScalar(bytes, at);
    for (let close = open.at(-1); ; close = open.at(-1)) {
      if (close === undefined) return at;
      at = nextIn(bytes, at, close);
      if (bytes[at] !== close) {
        if (close === closeObject) at = startBehindKey(bytes, endOfString(bytes, at));
        break;
      }
      open.pop();
      at += 1;
    }
  }
}

function startBehindKey(bytes: Buffer, keyEnd: number): number {
  const at = skipBlanks(bytes, keyEnd);
  if (bytes[at] !== colon) throw badJson(bytes, at, 'expected ":"');
  return skipBlanks(bytes, at + 1);
}

function endOfString(bytes: Buffer, start: number): number {
  if (bytes[start] !== quote) throw badJson(bytes, start, "expected a string");
  for (let at = start + 1; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte === quote) return at + 1;
    if (byte < 0x20) throw badJson(bytes, at, "a control character in a string");
    if (byte !== backslash) continue;
    const escape = String.fromCharCode(bytes[at + 1] ?? 0);
    const isCode = escape === "u" && /^[0-9a-fA-F]{4}$/.test(bytes.toString("latin1", at + 2, at + 6));
    if (!isCode && !'"\\/bfnrt'.includes(escape)) throw badJson(bytes, at, "no such escape");
    at += isCode ? 5 : 1;
  }
  throw badJson(bytes, bytes.length, "the string does not end");
}

/** By their first byte. */
const literals: ReadonlyMap<number | undefined, Buffer> = new Map(
  ["true", "false", "null"].map((word) => [word.charCodeAt(0), Buffer.from(word)]),
);

/** A number, or one of the three words. */
function endOfScalar(bytes: Buffer, start: number): number {
  const literal = literals.get(bytes[start]);
  const end = literal === undefined ? endOfNumber(bytes, start) : endOfWord(bytes, start, literal);
  if (end === start || isOfWord(bytes[end])) throw badJson(bytes, start, "expected a value");
  return end;
}

/** `start` where it does not stand there. A call of `compare` would take longer than so few bytes. */
function endOfWord(bytes: Buffer, start: number, word: Buffer): number {
  for (let at = 0; at < word.length; at++) if (bytes[start + at] !== word[at]) return start;
  return start + word.length;
}

/** `start` where there is none. */
function endOfNumber(bytes: Buffer, start: number): number {
  const first = bytes[start] === 0x2d ? start + 1 : start;
  let at = bytes[first] === 0x30 ? first + 1 : endOfDigits(bytes, first);
  if (at === first) return start;
  if (bytes[at] === 0x2e) {
    const fraction = at + 1;
    at = endOfDigits(bytes, fraction);
    if (at === fraction) return start;
  }
  if (bytes[at] !== 0x65 && bytes[at] !== 0x45) return at;
  const exponent = bytes[at + 1] === 0x2b || bytes[at + 1] === 0x2d ? at + 2 : at + 1;
  at = endOfDigits(bytes, exponent);
  return at === exponent ? start : at;
}

function endOfDigits(bytes: Buffer, start: number): number {
  let at = start;
  while (isDigit(bytes[at])) at += 1;
  return at;
}

function isDigit(byte: number = 0): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

/** What cannot stand right behind a value. */
function isOfWord(byte: number = 0): boolean {
  const isSign = byte === 0x2b || byte === 0x2d || byte === 0x2e || byte === 0x45;
  return isSign || isDigit(byte) || (byte >= 0x61 && byte <= 0x7a);
}

function skipBlanks(bytes: Buffer, start: number): number {
  let at = start;
  while (bytes[at] === 0x20 || bytes[at] === 0x0a || bytes[at] === 0x0d || bytes[at] === 0x09) at += 1;
  return at;
}

function badJson(bytes: Buffer, at: number, problem: string): Failure {
  const before = bytes.subarray(0, at);
  let line = 1;
  for (let end = before.indexOf(0x0a); end !== -1; end = before.indexOf(0x0a, end + 1)) line += 1;
  const column = at - before.lastIndexOf(0x0a);
  return new Failure("E_BAD_JSON", `This is no JSON: ${problem}, at line ${line}, byte ${column} of it.`, {
    remedy: "Open the file with open_file to see what stands there.",
  });
}
