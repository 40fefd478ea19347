import { expect, test } from "vitest";
import { jsonLine } from "./json.ts";

test("a value is one line of JSON that no terminal obeys", () => {
  expect(jsonLine({ text: "a\n\u001b[2J\u009b\u202e\u{e0041}" })).toBe(
    '{"text":"a\\n\\u001b[2J\\u009b\\u202e\\udb40\\udc41"}\n',
  );
});
