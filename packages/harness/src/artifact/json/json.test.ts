import fc from "fast-check";
import { expect, test } from "vitest";
import { plantFiles } from "../files.testing.ts";
import { linesIn } from "../lines.ts";
import { documentIn, jsonKindOf, valuesIn } from "./document.ts";
import { meets, type Condition, type Scalar } from "./filter.ts";
import { findIn, jsonStep, parseJsonPath, reachIn, jsonPathText } from "./path.ts";
import { itemsOf, membersOf, stringAt, typeAt, wholeValue } from "./scan.ts";
import { asItStands, kindOf, onOneLine, plucked } from "./show.ts";

const never = new AbortController().signal;

/** What stands at a path, as it stands there. */
function at(json: string, path: string): string | undefined {
  const bytes = Buffer.from(json);
  const found = findIn(bytes, wholeValue(bytes), parseJsonPath(path));
  return found && asItStands(bytes, found);
}

/** A value made of its parts: what the scanner sees must be what JSON.parse sees. */
function built(bytes: Buffer, span = wholeValue(bytes)): unknown {
  const type = typeAt(bytes, span);
  if (type === "object") {
    return Object.fromEntries(
      Array.from(membersOf(bytes, span), ({ key, value }) => [stringAt(bytes, key), built(bytes, value)]),
    );
  }
  if (type === "array") return Array.from(itemsOf(bytes, span), (item) => built(bytes, item));
  return type === "string" ? stringAt(bytes, span) : JSON.parse(asItStands(bytes, span));
}

test("whatever JSON there is, it is seen as it is", () => {
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false }), fc.constantFrom(undefined, 1, "\t"), (value, indent) => {
      const json = JSON.stringify(value, undefined, indent);
      const bytes = Buffer.from(` ${json}\n`);
      expect(built(bytes)).toEqual(JSON.parse(json));
      expect(onOneLine(bytes, wholeValue(bytes))).toBe(JSON.stringify(JSON.parse(json)));
    }),
  );
});

test("what JSON.parse takes is taken, and nothing else", () => {
  const part = fc.constantFrom(
    ...'{}[]",:\\ \n-+.eE019tfnu'.split(""),
    "true",
    "null",
    '"a"',
    "1",
    "\\u00e9",
    '"\\n"',
    "\x01",
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 9 }), (parts) => {
      const json = parts.join("");
      const takes = (act: () => unknown): boolean => {
        try {
          act();
          return true;
        } catch {
          return false;
        }
      };
      expect([json, takes(() => wholeValue(Buffer.from(json)))]).toEqual([json, takes(() => JSON.parse(json))]);
    }),
    { numRuns: 3_000 },
  );
});

test("a fault is told with its line and byte", () => {
  const fault = (json: string): unknown => expect.objectContaining({ code: "E_BAD_JSON", message: json });
  expect(() => wholeValue(Buffer.from('{\n  "a": 1,\n}'))).toThrow(
    fault("This is no JSON: expected a value behind the comma, at line 3, byte 1 of it."),
  );
  expect(() => wholeValue(Buffer.from(""))).toThrow(
    fault("This is no JSON: expected a value, at line 1, byte 1 of it."),
  );
});

test("a document that is nothing but depth takes no stack", () => {
  const deep = (levels: number): Buffer => Buffer.from("[".repeat(levels) + "]".repeat(levels));
  expect(wholeValue(deep(1_000))).toEqual({ from: 0, to: 2_000 });
  expect(() => wholeValue(deep(1_000_000))).toThrow(expect.objectContaining({ code: "E_BAD_JSON" }));
});

test("a path leads to what stands there, to the last digit", () => {
  const json = '{"a": [1, {"b c": 12345678901234567890}], "a.b": 1.50, "__proto__": {"x": 2}, "k": 1, "k": 2}';
  const paths = [
    "a[1]['b c']",
    'a[1]["b c"]',
    "$.a[0]",
    "a.0",
    '["a.b"]',
    "__proto__.x",
    "k",
    "toString",
    "a[7]",
    "k.x",
  ];
  expect(paths.slice(1).map((path) => at(json, path))).toEqual([
    "12345678901234567890",
    "1",
    "1",
    "1.50",
    "2",
    "2",
    undefined,
    undefined,
    undefined,
  ]);
  expect(at(json, "")).toBe(json);
  for (const bad of [paths[0] ?? "", "a[", "a]", "a[-1]", 'a["b', "a..b"]) {
    expect(() => parseJsonPath(bad), bad).toThrow(expect.objectContaining({ code: "E_BAD_QUERY" }));
  }
  expect(jsonPathText(["a", 1, "b c", 'x"'].map(jsonStep))).toBe('a[1]["b c"]["x\\""]');
});

test("a key is found whatever it is, written as it is or in escapes", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", minLength: 1 }), (key) => {
      const units = Array.from({ length: key.length }, (_, at) => key.charCodeAt(at).toString(16).padStart(4, "0"));
      const escaped = units.map((unit) => `\\u${unit}`).join("");
      for (const written of [JSON.stringify(key), `"${escaped}"`]) {
        const json = `{"a":0,${written}:1}`;
        expect([at(json, `[${written}]`), at(json, jsonPathText([jsonStep(key)]))]).toEqual(["1", "1"]);
      }
    }),
  );
});

test("a path is followed however far down it leads, reading nothing twice", () => {
  const deep = 990;
  const text = `${'{"k":'.repeat(deep)}[${"1,".repeat(2_000_000)}2]${"}".repeat(deep)}`;
  const bytes = Buffer.from(text);
  const path = parseJsonPath(`${"k.".repeat(deep)}2000000`);
  const found = findIn(bytes, wholeValue(bytes), path);
  expect(found && asItStands(bytes, found)).toBe("2");
  expect(reachIn(bytes, wholeValue(bytes), [...path.slice(0, -1), jsonStep("x")])).toBe(deep);
});

test("kinds are told, and parts plucked", () => {
  const bytes = Buffer.from('{ "a": {"b": [1, 2 ]}, "s": "x \\" y", "n": null }');
  const whole = wholeValue(bytes);
  expect([kindOf(bytes, whole), plucked(bytes, whole, ["a.b", "s", "gone"].map(parseJsonPath))]).toEqual([
    "object of 3",
    '{"a.b":[1,2],"s":"x \\" y"}',
  ]);
});

test.each<[string, Condition["op"], Scalar | undefined, boolean]>([
  ["n", "eq", 5, true],
  ["n", "eq", "5", false],
  ["n", "ne", "5", true],
  ["n", "lt", 6, true],
  ["n", "gte", 5, true],
  ["n", "gt", "4", false],
  ["s", "contains", "é", true],
  ["s", "lt", "d", true],
  ["s", "eq", "café\n", true],
  ["t", "eq", true, true],
  ["z", "eq", null, true],
  ["o", "eq", null, false],
  ["o", "ne", null, true],
  ["o", "exists", undefined, true],
  ["gone", "exists", undefined, false],
  ["gone", "absent", undefined, true],
  ["gone", "ne", 1, false],
])("%s %s %j is %s", (path, op, value, holds) => {
  const bytes = Buffer.from('{"n": 5, "s": "caf\\u00e9\\n", "t": true, "z": null, "o": {}}');
  expect(meets(bytes, wholeValue(bytes), [{ path: parseJsonPath(path), op, value }])).toBe(holds);
});

test.each([
  ["a.json", '{\n"a": 1}\n', "json"],
  ["a.json", '{"a": 1}\n\n', "json"],
  ["a.json", '{"a": 1}\n{"a": 2}\n', "json-lines"],
  ["a.log", '\n1\n"b', "json-lines"],
  ["a.jsonl", '{"a": 1}', "json-lines"],
  ["a.json", "", "json"],
  ["a.json", Buffer.from('\ufeff{"a":1}\n{"a":2}', "utf16le"), "json-lines"],
])("%s with %j is %s", async (name, content, kind) => {
  const { hold } = plantFiles({ [name]: content });
  const file = await hold(name);
  expect(await jsonKindOf({ file, lines: linesIn(file) }, never)).toBe(kind);
});

test("JSON Lines are read one by one, and what is none is told", async () => {
  const long = JSON.stringify("x".repeat(17_000_000));
  const { hold } = plantFiles({ "a.jsonl": `\ufeff{"a":1}\r\n\n{"a":\n${long}\n[1,\n2]\n"x\ny"\n{"a":2}` });
  const file = await hold("a.jsonl");
  const found: unknown[] = [];
  for await (const batch of valuesIn({ file, lines: linesIn(file) }, 1, never)) {
    for (const value of batch) {
      found.push([value.line, "bad" in value ? value.bad : asItStands(value.bytes, value.span)]);
    }
  }
  expect(found).toEqual([
    [1, '{"a":1}'],
    [3, "no JSON"],
    [4, "longer than 16777216 bytes"],
    [5, "no JSON"],
    [6, "no JSON"],
    [7, "no JSON"],
    [8, "no JSON"],
    [9, '{"a":2}'],
  ]);
});

test("a document is read with a mark and in UTF-16, up to 64 MB", async () => {
  const { hold } = plantFiles({
    marked: '\ufeff{"é": "ü"}',
    wide: Buffer.from('\ufeff{"é": "ü"}', "utf16le"),
    "large.json": `"${"x".repeat(67_108_863)}"`,
  });
  for (const name of ["marked", "wide"]) {
    const { bytes, span } = await documentIn(await hold(name), never);
    expect(asItStands(bytes, span)).toBe('{"é": "ü"}');
  }
  await expect(documentIn(await hold("large.json"), never)).rejects.toMatchObject({ code: "E_TOO_LARGE" });
});
