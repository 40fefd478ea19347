/** What the model said last in a turn: more than one reply where the output limit cut it. */
export interface Answer {
  readonly text: string;
  /** Takes the text of a reply as the answer, or as its next part after `goOn()`; an empty one changes nothing. */
  take(text: string): void;
  /** The next reply goes on where this one stopped. */
  goOn(): void;
}

export function createAnswer(): Answer {
  let answer = "";
  let goesOn = false;
  return {
    get text() {
      return answer;
    },
    take(text) {
      if (text.trim() !== "") answer = goesOn ? answer + text : text;
      goesOn = false;
    },
    goOn() {
      goesOn = true;
    },
  };
}
