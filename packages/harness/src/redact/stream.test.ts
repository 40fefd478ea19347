import fc from "fast-check";
import { expect, test } from "vitest";
import { findSecrets } from "./find.ts";
import { createRedactor } from "./redactor.ts";
import { inLine, keyBegin, samples } from "./samples.testing.ts";

const salt = Buffer.from("a salt of a session, for tests");
const header = keyBegin();
const body = "q3Lk9xYwZr8Tn2Vb".repeat(4);

/** What comes out, piece by piece, the rest last. */
function shown(pieces: readonly string[]): string[] {
  const stream = createRedactor(salt).stream();
  return [...pieces.map((piece) => stream.push(piece)), stream.end()];
}

const pieceOfOutput = fc.oneof(
  fc
    .tuple(fc.constantFrom(...samples), fc.constantFrom(...inLine))
    .chain(([{ secret, around = ["", ""] }, line]) =>
      secret.map((word) => ({ word, text: `${line[0]}${around[0]}${word}${around[1]}${line[1]}` })),
    ),
  fc
    .oneof(
      {
        weight: 8,
        arbitrary: fc.constantFrom("\n", " ", "....", `${header}\n`, `${body}\n`, header, body, "-----END x"),
      },
      { weight: 1, arbitrary: fc.constantFrom("x".repeat(20_000), "a b ".repeat(5_000)) },
      { weight: 2, arbitrary: fc.string() },
    )
    .map((text) => ({ word: undefined, text })),
);

test("what comes out does not depend on where the text was cut", () => {
  const sizes = fc.array(fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 30_000 })), {
    minLength: 1,
  });
  fc.assert(
    fc.property(fc.array(pieceOfOutput, { maxLength: 15 }), sizes, (output, sizes) => {
      const text = output.map((piece) => piece.text).join("");
      const pieces: string[] = [];
      for (let at = 0; at < text.length; at += pieces.at(-1)?.length ?? 0) {
        pieces.push(text.slice(at, at + (sizes[pieces.length % sizes.length] ?? 1)));
      }
      expect(shown(pieces).join("")).toBe(shown([text]).join(""));
    }),
    { numRuns: 500 },
  );
});

test("a secret is shown in no piece, however it was cut", () => {
  const secrets = fc
    .constantFrom(...samples)
    .chain(({ secret, around = ["", ""] }) =>
      fc.noShrink(secret).map((word) => ({ word, text: `$ run\n${around[0]}${word}${around[1]}\ndone\n` })),
    );
  fc.assert(
    fc.property(secrets, fc.nat(), ({ word, text }, cut) => {
      fc.pre(findSecrets(text).length > 0);
      const at = cut % text.length;
      expect(shown([text.slice(0, at), text.slice(at)]).join("")).not.toContain(word);
    }),
    { numRuns: 300 },
  );
});

test("a line is shown when it ends, the last one at the end", () => {
  expect(shown(["one\ntw", "o\nthree"])).toEqual(["one\n", "two\n", "three"]);
});

test("a private key is held back until it ends", () => {
  const hidden = createRedactor(salt).hide(`${header}\n${body}\n`).text;
  expect(shown([`a\n${header}\n`, `${body}\n`, "-----END", " PRIVATE KEY-----\n", "b\n"])).toEqual([
    "a\n",
    "",
    "",
    `${hidden}-----END PRIVATE KEY-----\n`,
    "b\n",
    "",
  ]);
});

test("a header that no key follows holds back one line", () => {
  expect(shown([`it begins with ${header}\n`, "and goes on\n", "like this\n"])).toEqual([
    "",
    `it begins with ${header}\nand goes on\n`,
    "like this\n",
    "",
  ]);
});

test("of a line without an end no more is held back than a secret can be long", () => {
  const stream = createRedactor(salt).stream();
  let out = 0;
  let most = 0;
  for (let pushed = 0; pushed < 1_000_000; pushed += 10_000) {
    out += stream.push("x".repeat(10_000)).length;
    most = Math.max(most, pushed + 10_000 - out);
  }
  expect(most).toBeLessThan(80_000);
  expect(out + stream.end().length).toBe(1_000_000);
});
