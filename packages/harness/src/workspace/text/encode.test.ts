import fc from "fast-check";
import { expect, test } from "vitest";
import { bomSize, encode, encodedSize } from "./encode.ts";
import { decode } from "./text.ts";

const marks = [Buffer.of(), Buffer.from("\ufeff"), Buffer.of(0xff, 0xfe), Buffer.of(0xfe, 0xff), Buffer.of(0x80)];
const pieces = fc.oneof(
  fc.constantFrom("\\", "x", "E9", "\\xE9", "\\x5C", "\r\n", "é", "𝄞", "\ufeff").map((text) => Buffer.from(text)),
  fc.uint8Array({ maxLength: 4 }).map((bytes) => Buffer.from(bytes)),
);
const files = fc
  .tuple(fc.constantFrom(...marks), fc.array(pieces))
  .map(([mark, parts]) => Buffer.concat([mark, ...parts]));

test("what was decoded is encoded to the same bytes, and their number is known before", () => {
  fc.assert(
    fc.property(files, (bytes) => {
      const decoded = decode(bytes);
      if (decoded === undefined) return;
      const { text, encoding } = decoded;
      const body = bytes.subarray(bomSize(encoding));
      expect([encode(text, encoding), encodedSize(text, encoding)]).toEqual([body, body.length]);
    }),
    { numRuns: 1_000 },
  );
});

test("an escape is a byte only where text is seen through", () => {
  expect(encode(String.raw`\xE9\x5CxE9\xe9`, "bytes")).toEqual(Buffer.from("\xe9\\xE9\\xe9", "latin1"));
  expect(encode(String.raw`\xE9`, "utf-8")).toEqual(Buffer.from(String.raw`\xE9`));
  expect(encode("é", "utf-16be")).toEqual(Buffer.of(0, 0xe9));
});
