import { expect, test } from "vitest";
import { outputReader } from "./ripgrep-output.ts";
import type { Proposal } from "../search.ts";

const warning = (path: string): string =>
  `${path}: WARNING: stopped searching binary file after match (found "\\0" byte around offset 7)\n`;

const output = Buffer.concat([
  Buffer.from("./a.ts\x001:3:0:[Omitted long line with 1 matches]\n"),
  Buffer.from("./a.ts\x0012:1:200:x\n"),
  Buffer.from('./odd\n"name:1:2\x007:1:9:\n'),
  Buffer.from(warning('./odd\n"name:1:2')),
  Buffer.from("./b: WARNING\x001:1:0:\n"),
  Buffer.from([0x2e, 0x2f, 0xff, 0]),
  Buffer.from("1:1:0:[Omitted long matching line]\n"),
  Buffer.from("./5000000000\x0050000000:4000000000:4900000000:[Omitted long line with 123456789 matches]\n"),
  Buffer.from(warning("./5000000000")),
]);

const expected: (Proposal | undefined)[] = [
  { path: "a.ts", line: 1, column: 2, offset: 0 },
  { path: "a.ts", line: 12, column: 0, offset: 200 },
  { path: 'odd\n"name:1:2', line: 7, column: 0, offset: 9 },
  { path: "b: WARNING", line: 1, column: 0, offset: 0 },
  undefined,
  { path: "5000000000", line: 50_000_000, column: 3_999_999_999, offset: 4_900_000_000 },
];

test("names of every kind are told from numbers and warnings", () => {
  expect(outputReader()(output)).toEqual(expected);
});

test("it does not matter where the output is cut into chunks", () => {
  for (const size of [1, 2, 3, 7, 50]) {
    const read = outputReader();
    const chunks = Array.from({ length: Math.ceil(output.length / size) }, (_, i) =>
      output.subarray(i * size, (i + 1) * size),
    );
    expect(chunks.flatMap((chunk) => read(chunk))).toEqual(expected);
  }
});
