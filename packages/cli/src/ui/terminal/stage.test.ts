import headless from "@xterm/headless";
import { onTestFinished, expect, test } from "vitest";
import { span, type Row } from "./look.ts";
import { openStage, type Stage } from "./stage.ts";

type Stand = {
  stage: Stage;
  lines: () => Promise<string[]>;
  wrote: () => string;
  resize: (columns: number, rows: number) => Promise<void>;
};

function stand(columns: number, rows: number): Stand {
  const term = new headless.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 1000 });
  onTestFinished(() => term.dispose());
  let bytes = "";
  const surface = { columns, rows, write: (text: string): void => ((bytes += text), term.write(text)) };
  const settle = (): Promise<void> => new Promise((resolve) => term.write("", resolve));
  return {
    stage: openStage(surface, false),
    async lines() {
      await settle();
      const { active } = term.buffer;
      const all = Array.from({ length: active.length }, (_, row) => active.getLine(row)?.translateToString(true) ?? "");
      return all.join("\n").trimEnd().split("\n");
    },
    wrote() {
      const last = bytes;
      bytes = "";
      return last;
    },
    async resize(columns, rows) {
      await settle();
      term.resize(columns, rows);
      Object.assign(surface, { columns, rows });
    },
  };
}

const rows = (...texts: string[]): Row[] => texts.map((text) => [span(text)]);

test("what is done stands once above what is live, also when it has scrolled away", async () => {
  const { stage, lines } = stand(20, 5);
  for (let n = 1; n <= 9; n += 1) stage.frame(rows(`done ${n}`), rows(`live ${n}`, "input"), { row: 1, column: 2 });
  const done = Array.from({ length: 9 }, (_, n) => `done ${n + 1}`);
  expect(await lines()).toEqual([...done, "live 9", "input"]);
});

test("of the live rows those that differ are written, and nothing where nothing differs", async () => {
  const { stage, lines, wrote } = stand(20, 5);
  stage.frame([], rows("one", "two", "three"), { row: 2, column: 1 });
  wrote();
  stage.frame([], rows("one", "2", "three"), { row: 2, column: 1 });
  expect(
    wrote()
      .replaceAll(/\u001b\[[?0-9]*[A-Za-z]/g, "")
      .trim(),
  ).toBe("2");
  stage.frame([], rows("one", "2", "three"), { row: 2, column: 1 });
  expect(wrote()).toBe("");
  stage.frame([], rows("one"), { row: 0, column: 0 });
  stage.frame([], rows("one", "two", "three", "four"), { row: 3, column: 0 });
  expect(await lines()).toEqual(["one", "two", "three", "four"]);
});

test("a row as wide as the terminal does not wrap, and one that is wider is clipped while it is live", async () => {
  const { stage, lines } = stand(5, 6);
  stage.frame(rows("12345", "abcde"), rows("vwxyz", "too wide for it", "end"), undefined);
  expect((await lines()).slice(0, 3)).toEqual(["12345", "abcde", "vwxyz"]);
  stage.frame(rows("more"), rows("vwxyz", "end"), undefined);
  expect(await lines()).toEqual(["12345", "abcde", "more", "vwxyz", "end"]);
});

test("narrower and wider again, nothing of the live rows is left behind and nothing above is touched", async () => {
  const { stage, lines, resize } = stand(80, 12);
  const live = (n: number): Row[] => rows("w".repeat(70), "status of the session, a long one", `draft ${n}`);
  stage.frame(rows("first done", "second done"), live(1), { row: 2, column: 3 });
  for (const [n, columns] of [20, 80, 33, 34, 80].entries()) {
    await resize(columns, 12);
    stage.resized();
    stage.frame(
      [],
      live(n).map((row) => row.map((each) => ({ ...each, text: each.text.slice(0, columns) }))),
      { row: 2, column: 3 },
    );
    const shown = await lines();
    expect(shown.slice(0, 3)).toEqual(["first done", "second done", "w".repeat(Math.min(70, columns))]);
    expect(shown.length).toBe(5);
  }
});

test("clearing keeps what was shown above, in the scrollback", async () => {
  const { stage, lines } = stand(20, 4);
  stage.frame(rows("done"), rows("live"), undefined);
  stage.clear();
  stage.frame([], rows("live"), undefined);
  const shown = await lines();
  expect([shown[0], shown.at(-1)]).toEqual(["done", "live"]);
});
