import { deepEqual, throws } from "node:assert/strict";
import { test } from "node:test";
import { parseCsv } from "../src/csv.js";
import { parseTable } from "../src/table.js";

test("quotes, commas and line breaks in a cell", () => {
  deepEqual(parseCsv('"say ""hi"", twice",b\n'), [['say "hi", twice', "b"]]);
  deepEqual(parseCsv('a,"x\ny"\r\nb,"x\r\ny"\r\n'), [
    ["a", "x\ny"],
    ["b", "x\r\ny"],
  ]);
  deepEqual(parseCsv('"","""",","\n'), [["", '"', ","]]);
  deepEqual(parseCsv('"a\n\nb"'), [["a\n\nb"]]);
});

test("what was read before is read the same", () => {
  deepEqual(parseCsv(""), []);
  deepEqual(parseCsv("a,b\n\n1,,3"), [
    ["a", "b"],
    ["1", "", "3"],
  ]);
  deepEqual(parseCsv("a,\r\n,b\r\n"), [
    ["a", ""],
    ["", "b"],
  ]);
  deepEqual(parseTable('name,note\nAda,"1,2"\n'), [{ name: "Ada", note: "1,2" }]);
});

test("a quote in the middle of a bare cell is a character like any other", () => {
  deepEqual(parseCsv('5" disk,3\n'), [['5" disk', "3"]]);
});

test("a quote that is never closed is told with its line", () => {
  throws(() => parseCsv('a,b\n"x\ny"\nc,"d\ne\n'), /\b4\b/);
});
