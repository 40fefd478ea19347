import { equal } from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";

test("words are counted", () => {
  const out = execFileSync(process.execPath, ["words.js", "--min", "3", "test/text.txt"], { encoding: "utf8" });
  equal(out, "2 the\n1 and\n1 cat\n1 dog\n");
});
