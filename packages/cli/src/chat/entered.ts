/** What a person entered, told apart: a message, a command of croft's, or a command of their own for the shell. */

export type Entered =
  | { kind: "nothing" }
  | { kind: "message"; text: string }
  | { kind: "command"; name: string; rest: string }
  | { kind: "shell"; command: string };

/** What a message says; undefined where it is none. */
export function messageIn(entered: string): string | undefined {
  const read = readEntered(entered);
  return read.kind === "message" ? read.text : undefined;
}

/**
 * A slash before a name begins a command, `!` one for the shell. A second slash or a blank in front makes a message of
 * either. A path (`/usr/bin is full`) is no command: names hold no further slash.
 */
export function readEntered(entered: string): Entered {
  const text = entered.trim();
  if (text === "") return { kind: "nothing" };
  if (/^\s/.test(entered)) return { kind: "message", text };
  if (text.startsWith("//")) return { kind: "message", text: text.slice(1) };
  if (text.startsWith("!") && text.length > 1) return { kind: "shell", command: text.slice(1).trim() };
  const [, name, rest = ""] = /^\/([\w:.-]+)(?:\s+(.*))?$/su.exec(text) ?? [];
  return name === undefined ? { kind: "message", text } : { kind: "command", name, rest: rest.trim() };
}
