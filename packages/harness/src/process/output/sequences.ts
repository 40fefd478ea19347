/**
 * Text taken apart as a terminal takes it: what is printed, single control characters, and commands (CSI). Strings for
 * the terminal itself (OSC, DCS, APC, PM, SOS) and all other escape sequences are swallowed, wherever they were cut. A
 * line feed ends a string, so that one left open cannot swallow the rest of the output.
 */

export type Heard = {
  /** Line feeds and tabs are among it; no other control characters. */
  print(text: string): void;
  control(character: string): void;
  /** CSI: `ESC [ 2 K` is "K" with parameters "2". */
  command(final: string, parameters: string): void;
};

type State = "ground" | "escape" | "command" | "string";

/** Parameters longer than this are no command. */
const maxParameters = 64;

/** Where each introducer leads: those of one character (C1) and, behind an escape, those of two. */
const introducers: Readonly<Record<string, State>> = {
  "\x1b": "escape",
  "\x9b": "command",
  "\x90": "string",
  "\x98": "string",
  "\x9d": "string",
  "\x9e": "string",
  "\x9f": "string",
};
const escaped: Readonly<Record<string, State>> = {
  "\x1b": "escape",
  "[": "command",
  P: "string",
  X: "string",
  "]": "string",
  "^": "string",
  _: "string",
};

/** Hands what it is given to `heard`, in order. What has only begun at the end was no output. */
export function createSequences(heard: Heard): (text: string) => void {
  let state: State = "ground";
  let parameters = "";
  const specials: Partial<Record<State, RegExp>> = {
    ground: /[^\P{Cc}\t\n]/gu,
    string: /[\x07\n\x18\x1a\x1b\x9c]/g,
  };

  function enter(next: State): void {
    state = next;
    parameters = "";
  }

  /** Where no case takes the character, it interrupts what came before and stands for itself. */
  function take(character: string): void {
    switch (state) {
      case "ground": {
        const next = introducers[character];
        if (next !== undefined) return enter(next);
        return isControl(character) ? heard.control(character) : heard.print(character);
      }
      case "escape":
        if (escaped[character] !== undefined) return enter(escaped[character]);
        if (character >= " " && character <= "/") return undefined;
        enter("ground");
        return character >= "0" && character <= "~" ? undefined : take(character);
      case "command":
        if (character >= " " && character <= "?" && parameters.length < maxParameters) {
          parameters += character;
          return undefined;
        }
        return endCommand(character);
      case "string":
        if (character === "\x1b") return enter("escape"); // with a backslash, its end
        if (endsString(character)) enter("ground");
        return character === "\n" ? take(character) : undefined;
    }
  }

  function endCommand(final: string): void {
    const given = parameters;
    enter("ground");
    if (final >= "@" && final <= "~") heard.command(final, given);
    else take(final);
  }

  /** Where the next character stands that is more than one of many: a run is taken, or swallowed, at once. */
  function nextIn(text: string, from: number): number {
    const special = specials[state];
    if (special === undefined) return from;
    special.lastIndex = from;
    return special.test(text) ? special.lastIndex - 1 : text.length;
  }

  return (text) => {
    let at = 0;
    while (at < text.length) {
      const next = nextIn(text, at);
      if (next > at && state === "ground") heard.print(text.slice(at, next));
      const character = next < text.length ? String.fromCodePoint(text.codePointAt(next) ?? 0) : "";
      if (character !== "") take(character);
      at = next + character.length;
    }
  };
}

function isControl(character: string): boolean {
  return character !== "\t" && character !== "\n" && /\p{Cc}/u.test(character);
}

function endsString(character: string): boolean {
  return "\x07\n\x18\x1a\x9c".includes(character);
}
