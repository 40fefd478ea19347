import { expect, test } from "vitest";
import type { EndedCall } from "./block.ts";
import { callRows } from "./draw-call.ts";

const ended: EndedCall = {
  name: "search",
  input: { pattern: "x" },
  ok: true,
  preview: "",
  details: undefined,
  landed: undefined,
  seconds: 0,
  output: [],
};

function drawn(call: Partial<EndedCall>, width: number): string[] {
  return callRows({ ...ended, ...call }, width).map((row) => row.map(({ text }) => text).join(""));
}

test("an error is told in a few rows, and the last says that there is more", () => {
  const preview = "Use another path, or none at all. ".repeat(9).trim();
  const rows = drawn({ ok: false, preview }, 40);
  expect([rows[0], rows.length, rows.at(-1)]).toEqual(["✗ search x", 7, "  …"]);
  expect(drawn({ ok: false, preview: "Not found." }, 40)).toEqual(["✗ search x", "  Not found."]);
});

test("of a change, whose diff was shown, the first argument is enough", () => {
  const landed = [{ path: "a.ts", before: "1", after: "2", hunks: [{ from: 9, removed: 1, to: 9, added: 1 }] }];
  const input = { path: "a.ts", old_string: "foo", new_string: "bar" };
  expect(drawn({ name: "edit_file", input, landed }, 80)).toEqual(["✓ edit_file a.ts", "  changed a.ts (+1 -1)"]);
});

test.each([
  [{ command: "ls", restart: false }, "✓ search ls restart: false"],
  [{ restart: true }, "✓ search restart: true"],
  [{ limit: 3, path: "a" }, "✓ search limit: 3 path: a"],
  [{ argv: ["git", "log"] }, "✓ search git log"],
])("%j is told in a line", (input, line) => {
  expect(drawn({ input }, 80)[0]?.trimEnd()).toBe(line);
});
