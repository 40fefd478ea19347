import fc from "fast-check";
import { expect, test } from "vitest";
import { openDecoder, type Token } from "./keys.ts";

function decoded(...reads: string[]): Token[] {
  const decoder = openDecoder();
  return [...reads.flatMap((read) => decoder.feed(read)), ...decoder.flush()];
}

const text = (words: string): Token => ({ type: "text", text: words });
const key = (name: string): Token => ({ type: "key", key: name });
const paste = (words: string): Token => ({ type: "paste", text: words });

test.each<[string, string[], Token[]]>([
  ["text, an arrow, a control key", ["ab\u001b[Dc\u0003"], [text("ab"), key("left"), text("c"), key("ctrl+c")]],
  [
    "Enter and its kin",
    ["\r\n\u001b\r\u001b[13;2u"],
    [key("enter"), key("ctrl+j"), key("alt+enter"), key("shift+enter")],
  ],
  ["what xterm sends for Shift+Enter", ["\u001b[27;2;13~"], [key("shift+enter")]],
  ["keys of the Kitty protocol", ["\u001b[99;5u\u001b[27u"], [key("ctrl+c"), key("escape")]],
  ["a sequence parted between reads", ["\u001b", "[", "A"], [key("up")]],
  ["a lone ESC", ["\u001b"], [key("escape")]],
  ["Escape before an arrow", ["\u001b\u001b[A"], [key("escape"), key("up")]],
  ["Shift+Tab", ["\u001b[Z"], [key("shift+tab")]],
  ["reports of a mouse, new and old", ["\u001b[<35;20;5M\u001b[<0;1;1m\u001b[M !!x"], [text("x")]],
  ["a reply of the terminal", ["\u001b]11;rgb:00/00/00\u0007\u001b[?62;4cok"], [text("ok")]],
  ["a broken sequence", ["\u001b[12\u0001x"], [key("ctrl+a"), text("x")]],
])("%s", (_, reads, tokens) => {
  expect(decoded(...reads)).toEqual(tokens);
});

test.each<[string, string[], Token[]]>([
  ["a paste", ["\u001b[200~a\nb\nc \u001b[201~"], [paste("a\nb\nc ")]],
  ["marks parted between reads", ["\u001b[20", "0~a\u001b[2", "01~b"], [paste("a"), text("b")]],
  [
    "a paste that holds the mark of its end",
    ["\u001b[200~a\u001b[201~rm -rf /\r\u001b[201~b"],
    [paste("arm -rf /\r"), text("b")],
  ],
  ["two pastes", ["\u001b[200~a\u001b[201~\u001b[200~b\u001b[201~"], [paste("a"), paste("b")]],
  ["an end without a beginning", ["x\u001b[201~"], [text("x"), { type: "stray" }]],
])("%s", (_, reads, tokens) => {
  expect(decoded(...reads)).toEqual(tokens);
});

test("a paste of a megabyte in many reads comes out whole", () => {
  const words = "0123456789\n".repeat(100_000);
  const reads = (`\u001b[200~${words}\u001b[201~`.match(/[^]{1,1000}/g) ?? []).map(String);
  expect(decoded(...reads)).toEqual([paste(words)]);
});

test("whatever comes, nothing of it is text that a terminal would obey", () => {
  const piece = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom("\u001b[", "\u001b]", "\u001b[<0;", "\u001b[200~"),
  );
  fc.assert(
    fc.property(fc.array(piece), (reads) => {
      const texts = decoded(...reads).filter((token) => token.type === "text");
      expect(texts.filter((token) => /[\u0000-\u001f\u007f]/.test(token.text))).toEqual([]);
    }),
  );
});
