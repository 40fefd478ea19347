import { expect, test } from "vitest";
import { insertLines } from "./insert.ts";
import { sourceOf } from "./source.ts";

const inserted = (file: string | Buffer, after: number, text: string): string =>
  insertLines(sourceOf("a.txt", Buffer.from(file)), after, text).toString("latin1");

test.each<[string, string, number, string, string]>([
  ["at the beginning", "a\nb\n", 0, "x\n", "x\na\nb\n"],
  ["between two lines", "a\nb\n", 1, "x\ny\n", "a\nx\ny\nb\n"],
  ["at the end", "a\nb\n", 2, "x\n", "a\nb\nx\n"],
  ["without a line break of its own", "a\nb\n", 1, "x", "a\nx\nb\n"],
  ["without one at the end", "a\n", 1, "x", "a\nx\n"],
  ["an empty line", "a\nb\n", 1, "\n", "a\n\nb\n"],
  ["behind a last line without a line break", "a\nb", 2, "x", "a\nb\nx"],
  ["behind such a line, with one", "a\nb", 2, "x\n", "a\nb\nx\n"],
  ["before such a line", "a\nb", 1, "x", "a\nx\nb"],
  ["in an empty file", "", 0, "x", "x"],
  ["where lines end in CRLF", "a\r\nb\r\n", 1, "x\ny", "a\r\nx\r\ny\r\nb\r\n"],
  ["CRLF, where they end in LF", "a\nb\n", 1, "x\r\n", "a\nx\nb\n"],
  ["behind a byte order mark", "\ufeffa\n", 0, "x", Buffer.from("\ufeffx\na\n").toString("latin1")],
])("lines go in %s", (_, file, after, text, result) => {
  expect(inserted(file, after, text)).toBe(result);
});

test("bytes that are no UTF-8 stay, and UTF-16 stays UTF-16", () => {
  expect(inserted(Buffer.from("caf\xe9\nb\n", "latin1"), 1, "x")).toBe("caf\xe9\nx\nb\n");
  expect(inserted(Buffer.from("\ufeffa\r\nb", "utf16le"), 1, "x")).toBe(
    Buffer.from("\ufeffa\r\nx\r\nb", "utf16le").toString("latin1"),
  );
});

test.each<[string, string, number, string, object]>([
  ["a line that is not there", "a\nb\n", 3, "x", { code: "E_RANGE", message: "a.txt has only 2 lines." }],
  ["a line of an empty file", "", 1, "x", { code: "E_RANGE", message: "a.txt has only 0 lines." }],
  ["nothing", "a\n", 1, "", { code: "E_NO_CHANGE" }],
  ["what the file cannot hold", "a\n", 1, "\0", { code: "E_ENCODING" }],
])("%s is refused", (_, file, after, text, failure) => {
  expect(() => inserted(file, after, text)).toThrow(expect.objectContaining(failure));
});
