/** Bytes from a terminal taken apart: text, keys, pastes. What is none of them (reports, replies) is dropped. */

import { decodeKittyPrintable, parseKey } from "@earendil-works/pi-tui";
import { partOf, pasteEnd, pasteStart } from "../paste-marks.ts";

export type Token =
  | { type: "text"; text: string }
  /** Named as `ctrl+c`, `shift+enter`, `up`. */
  | { type: "key"; key: string }
  | { type: "paste"; text: string }
  /** The end of a paste where none was begun: what came before it was pasted as well. */
  | { type: "stray" };

export type Decoder = {
  /** Whatever is complete by now. */
  feed(text: string): Token[];
  /** Whether an escape sequence has begun that more could follow. */
  waits(): boolean;
  /** Nothing more came: a lone ESC is the key, the rest of a broken sequence is dropped. */
  flush(): Token[];
};

/** Characters of a reply that never ends, before it is given up. */
const replyMost = 4_096;

export function openDecoder(): Decoder {
  let buffer = "";
  let pasted: string[] | undefined;

  /** Takes the paste up to its end: the last end marker before another one starts, as text may hold one too. */
  function takePaste(parts: string[]): Token[] {
    const start = buffer.indexOf(pasteStart);
    const end = buffer.lastIndexOf(pasteEnd, start === -1 ? undefined : start);
    if (end === -1) {
      // A marker may be parted between two reads.
      const keep = partOf(pasteEnd, buffer);
      parts.push(buffer.slice(0, buffer.length - keep));
      buffer = buffer.slice(buffer.length - keep);
      return [];
    }
    parts.push(buffer.slice(0, end));
    buffer = buffer.slice(end + pasteEnd.length);
    pasted = undefined;
    return [{ type: "paste", text: parts.join("").replaceAll(pasteEnd, "") }];
  }

  function take(): Token[] {
    const tokens: Token[] = [];
    while (buffer !== "") {
      if (pasted !== undefined) {
        const paste = takePaste(pasted);
        tokens.push(...paste);
        if (paste.length === 0) break;
        continue;
      }
      const sequence = sequenceAt(buffer);
      if (sequence === undefined) break;
      buffer = buffer.slice(sequence.length);
      if (sequence === pasteStart) pasted = [];
      else if (sequence === pasteEnd) tokens.push({ type: "stray" });
      else tokens.push(...tokenOf(sequence));
    }
    return tokens;
  }

  return {
    feed(text) {
      buffer += text;
      return take();
    },
    waits: () => buffer !== "" && pasted === undefined,
    flush() {
      if (pasted !== undefined || buffer === "") return [];
      const [first = "", ...rest] = buffer;
      const lone = first === "\u001b" && rest.length === 0;
      buffer = "";
      return lone ? [{ type: "key", key: "escape" }] : [];
    },
  };
}

/** A run of text, one control character, or one whole escape sequence; undefined while it is not whole. */
function sequenceAt(text: string): string | undefined {
  const run = /^[^\u0000-\u001f\u007f]+/.exec(text);
  if (run !== null) return run[0];
  if (!text.startsWith("\u001b")) return text[0];
  // Two keys in one read: Escape, and a sequence of its own.
  if (/^\u001b\u001b[[O\]P_^]/.test(text)) return "\u001b";
  const whole =
    /^\u001b(?:\[M[^]{3}|\[(?!M)[0-?]*[ -/]*[@-~]|O[^]|[\]][^\u0007\u001b]*(?:\u0007|\u001b\\)|[P_^X][^\u001b]*\u001b\\|[^[O\]P_^X])/u.exec(
      text,
    );
  if (whole !== null) return whole[0];
  // Broken in the middle by a byte that cannot belong to it.
  const broken = /^\u001b\[[0-?]*[ -/]*[^ -~]/.exec(text);
  if (broken !== null) return broken[0].slice(0, -1);
  return text.length > replyMost ? text : undefined;
}

function tokenOf(sequence: string): Token[] {
  if (/^[^\u0000-\u001f\u007f]/.test(sequence)) return [{ type: "text", text: sequence }];
  const printable = decodeKittyPrintable(sequence);
  if (printable !== undefined) return [{ type: "text", text: printable }];
  if (sequence === "\n") return [{ type: "key", key: "ctrl+j" }];
  const key = parseKey(sequence);
  return key === undefined ? [] : [{ type: "key", key }];
}
