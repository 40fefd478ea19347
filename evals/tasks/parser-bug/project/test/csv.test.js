import { deepEqual } from "node:assert/strict";
import { test } from "node:test";
import { parseCsv } from "../src/csv.js";
import { parseTable } from "../src/table.js";

test("cells lie between commas", () =>
  deepEqual(parseCsv("a,b\n1,,3\n"), [
    ["a", "b"],
    ["1", "", "3"],
  ]));
test("quotes around a cell are not part of it", () => deepEqual(parseCsv('"a",b\r\n'), [["a", "b"]]));
test("the first row has the names", () => deepEqual(parseTable("a,b\n1\n"), [{ a: "1", b: "" }]));
