import type { Screen } from "./screen.ts";

export type Printer = { add(text: string): void; end(): void };

/** Output that comes in pieces, printed in whole lines. */
export function printer(screen: Pick<Screen, "print">): Printer {
  let unfinished = "";
  return {
    add(text) {
      const lines = (unfinished + text).split("\n");
      unfinished = lines.pop() ?? "";
      if (lines.length > 0) screen.print(lines);
    },
    end() {
      if (unfinished !== "") screen.print([unfinished]);
      unfinished = "";
    },
  };
}
