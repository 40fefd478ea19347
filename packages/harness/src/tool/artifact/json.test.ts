import { expect, test } from "vitest";
import { artifactRig } from "../../preset/artifact-rig.testing.ts";

const users = JSON.stringify(
  {
    users: [
      { id: 1, name: "Ann", tags: ["a", "b"], big: "PLACE" },
      { id: 2, name: "Bob", note: null },
      { id: 3, name: "Cyd", tags: [] },
    ],
    total: 3,
  },
  undefined,
  2,
).replace('"PLACE"', "12345678901234567890");

test("a document is opened with an outline, and asked for its keys and values", async () => {
  const { call, open } = await artifactRig({ "a.json": users });
  expect(await call("open_json_file", { path: "a.json" })).toMatch(/^a1-....: a\.json, JSON: object of 2, 300 bytes$/);
  const id = await open("open_json_file", { path: "a.json" });
  expect(await call("artifact_json_keys", { artifact_id: id })).toBe("object\nusers: array of 3\ntotal: number");
  expect(await call("artifact_json_keys", { artifact_id: id, path: "users" })).toBe(
    "array of 3\nid: in 3 of the first 3\nname: in 3 of the first 3\ntags: in 2 of the first 3\nbig: in 1 of the first 3\nnote: in 1 of the first 3",
  );
  expect(await call("artifact_json_keys", { artifact_id: id, path: "total" })).toBe("number: it has no keys");
  expect(await call("artifact_json_get", { artifact_id: id, path: "users[0].big" })).toBe("12345678901234567890");
  expect(await call("artifact_json_get", { artifact_id: id, path: "users[1]" })).toContain('"note": null');
  expect(await call("artifact_json_get", { artifact_id: id, path: "users[1].mail" })).toBe(
    "[E_SANDBOX_NOT_FOUND, not-found] There is no users[1].mail: users[1] has no such part. Ask for the keys of users[1].",
  );
  expect(await call("artifact_json_get", { artifact_id: id, path: "users[" })).toMatch(
    /^\[E_SANDBOX_BAD_QUERY, invalid\]/,
  );
});

test("parts of a document are filtered, and of each only so much is given", async () => {
  const { call, open } = await artifactRig({ "a.json": users });
  const id = await open("open_json_file", { path: "a.json" });
  const filter = (more: object): Promise<string> =>
    call("artifact_json_filter", { artifact_id: id, path: "users", ...more });
  expect(await filter({ where: [{ path: "id", op: "gte", value: 2 }], pluck: ["name", "note"] })).toBe(
    'users[1]: {"name":"Bob","note":null}\nusers[2]: {"name":"Cyd"}',
  );
  expect(await filter({ where: [{ path: "tags", op: "exists" }], pluck: ["tags"], limit: 1 })).toBe(
    'users[0]: {"tags":["a","b"]}\n(result-limited: the first 1; there are more)',
  );
  expect(await filter({ where: [{ path: "tags", op: "exists" }], pluck: ["id"], limit: 2 })).toBe(
    'users[0]: {"id":1}\nusers[2]: {"id":3}',
  );
  expect(await filter({ where: [{ path: "name", op: "contains", value: "zz" }] })).toBe(
    "Nothing meets these conditions.",
  );
  expect(await call("artifact_json_filter", { artifact_id: id, where: [{ path: "", op: "eq", value: 3 }] })).toBe(
    "total: 3",
  );
  expect(await call("artifact_json_filter", { artifact_id: id, path: "total" })).toMatch(
    /^\[E_SANDBOX_BAD_QUERY, invalid\]/,
  );
  expect(await filter({ where: [{ path: "id", op: "like", value: 1 }] })).toMatch(
    /where\.0\.op: must be one of eq, ne, lt/,
  );
  expect(await filter({ limit: 0 })).toMatch(/limit: must be >= 1/);
});

test("JSON Lines are asked by line, and filtered; lines that are none are named", async () => {
  const { doors, call, open } = await artifactRig({
    "a.jsonl": '{"n":1,"d":{"x":"é"}}\n\n{"n":2\n{"n":3,"l":[{"k":1},{"k":2}]}\n',
  });
  expect(await call("open_json_file", { path: "a.jsonl" })).toMatch(/JSON Lines, the first: object of 2, 61 bytes$/);
  const id = await open("open_json_file", { path: "a.jsonl" });
  expect(await call("artifact_json_get", { artifact_id: id, line: 1, path: "d.x" })).toBe('"é"');
  expect(await call("artifact_json_get", { artifact_id: id, path: "d.x" })).toMatch(/Say which line\.$/);
  expect(await call("artifact_json_get", { artifact_id: id, line: 2 })).toMatch(/^\[E_SANDBOX_RANGE, limit\]/);
  expect(await call("artifact_json_get", { artifact_id: id, line: 3 })).toMatch(/^\[E_SANDBOX_BAD_JSON, invalid\]/);
  expect(await call("artifact_json_keys", { artifact_id: id })).toBe(
    "JSON Lines\nn: in 2 of the first 3\nd: in 1 of the first 3\nl: in 1 of the first 3",
  );
  expect(
    await call("artifact_json_filter", { artifact_id: id, where: [{ path: "n", op: "gt", value: 0 }], pluck: ["n"] }),
  ).toBe('1: {"n":1}\n4: {"n":3}\n(1 lines are no JSON: 3)');
  expect(
    await call("artifact_json_filter", { artifact_id: id, path: "l", where: [{ path: "k", op: "eq", value: 2 }] }),
  ).toBe('4 l[1]: {"k":2}\n(1 lines are no JSON: 3)');
  expect([1, 2, 3, 4].filter((line) => doors.ledger.has("a.jsonl", line))).toEqual([1, 4]);
});

test("a value too long to be shown is described", async () => {
  const { call, open } = await artifactRig({
    "a.json": JSON.stringify({ list: Array.from({ length: 9_000 }, (_, n) => n) }),
  });
  const id = await open("open_json_file", { path: "a.json" });
  expect(await call("artifact_json_get", { artifact_id: id })).toBe(
    "object of 1, 43900 bytes: too long to be shown; ask for its keys, or go further down",
  );
});

test("what is no JSON is told where it is opened, and what is too large", async () => {
  const { call } = await artifactRig({ "a.json": '{"a": 1,,}', "b.json": `[${"1,".repeat(33_554_432)}1]` });
  expect(await call("open_json_file", { path: "a.json" })).toBe(
    "[E_SANDBOX_BAD_JSON, invalid] This is no JSON: expected a string, at line 1, byte 9 of it. Open the file with open_file to see what stands there.",
  );
  expect(await call("open_json_file", { path: "b.json" })).toMatch(/^\[E_SANDBOX_TOO_LARGE, limit\]/);
});

test("keys, lines that are none and conditions without end are told up to a bound", async () => {
  const members = Array.from({ length: 10_100 }, (_, at) => `"k${at}":1`).join(",");
  const { call, open } = await artifactRig({
    "a.json": `[{${members}},{"k0":2,"k0":3}]`,
    "a.jsonl": "x\n".repeat(2_000),
  });
  const id = await open("open_json_file", { path: "a.json" });
  const keys = await call("artifact_json_keys", { artifact_id: id });
  expect(keys).toMatch(/^array of 2\nk0: in 2 of the first 2\nk1: in 1 of the first 2\n/);
  const [kept] = /output-[0-9a-f-]{36}/.exec(keys) ?? [];
  expect(await call("artifact_tail", { artifact_id: kept, lines: 2 })).toBe(
    `${kept}: lines 10001 to 10002\n10001\tk9999: in 1 of the first 2\n10002\t(there are more than 10000 keys)`,
  );
  const lines = await open("open_json_file", { path: "a.jsonl" });
  expect(await call("artifact_json_filter", { artifact_id: lines })).toBe(
    "Nothing meets these conditions.\n(2000 lines are no JSON: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, …)",
  );
  expect(await call("artifact_json_keys", { artifact_id: lines })).toBe("JSON Lines");
  const where = Array.from({ length: 33 }, () => ({ path: "k0", op: "exists" }));
  expect(await call("artifact_json_filter", { artifact_id: id, where })).toMatch(
    /INVALID_INPUT.*where: must have at most 32/,
  );
});

test("a long line of JSON Lines is a value like any other, and one that is too long is told as that", async () => {
  const long = JSON.stringify({ n: 2, x: "x".repeat(600_000) });
  const tooLong = JSON.stringify({ n: 3, x: "x".repeat(17_000_000) });
  const { call, open } = await artifactRig({ "a.jsonl": `\ufeff{"n":1}\r\n${long}\r\n${tooLong}\r\n{"n":4` });
  const id = await open("open_json_file", { path: "a.jsonl" });
  const get = (line: number): Promise<string> => call("artifact_json_get", { artifact_id: id, line, path: "n" });
  expect([await get(1), await get(2)]).toEqual(["1", "2"]);
  expect(await get(3)).toBe(
    "[E_SANDBOX_BAD_JSON, invalid] Line 3 of a.jsonl is longer than 16777216 bytes. Look at it with artifact_cat, or use another line.",
  );
  expect(await get(4)).toBe(
    "[E_SANDBOX_BAD_JSON, invalid] Line 4 of a.jsonl is no JSON. Look at it with artifact_cat, or use another line.",
  );
  expect(await get(5)).toMatch(/^\[E_SANDBOX_RANGE, limit\]/);
  expect(await call("artifact_json_filter", { artifact_id: id, pluck: ["n"] })).toBe(
    '1: {"n":1}\n2: {"n":2}\n(1 lines are longer than 16777216 bytes: 3)\n(1 lines are no JSON: 4)',
  );
});

test("numbers that no double holds are shown to the last digit, and compared as doubles", async () => {
  const { call, open } = await artifactRig({ "a.json": '[{"n": 9007199254740993}, {"n": 1e400}, {"n": -0.10}]' });
  const id = await open("open_json_file", { path: "a.json" });
  const filter = (op: string, value: number): Promise<string> =>
    call("artifact_json_filter", { artifact_id: id, where: [{ path: "n", op, value }] });
  expect(await filter("gt", 1)).toBe('[0]: {"n":9007199254740993}\n[1]: {"n":1e400}');
  expect(await filter("eq", 9007199254740992)).toBe('[0]: {"n":9007199254740993}');
  expect(await filter("lt", 0)).toBe('[2]: {"n":-0.10}');
});

test("an empty file is no document, and JSON Lines without a line", async () => {
  const { call, open } = await artifactRig({ "a.json": "", "a.jsonl": "\n \r\n" });
  expect(await call("open_json_file", { path: "a.json" })).toMatch(
    /^\[E_SANDBOX_BAD_JSON, invalid\].*expected a value/,
  );
  const id = await open("open_json_file", { path: "a.jsonl" });
  expect(await call("artifact_json_filter", { artifact_id: id })).toBe("Nothing meets these conditions.");
});

test("a value is found by its line though that has no end, or goes on beyond what is read at a time", async () => {
  const long = `{"text":"${"x".repeat(600_000)}","id":2}`;
  const { call, open } = await artifactRig({ "a.jsonl": `{"id":1}\r\n${long}\n\n{"id":3}` });
  const id = await open("open_json_file", { path: "a.jsonl" });
  const at = (line: number): Promise<string> => call("artifact_json_get", { artifact_id: id, path: "id", line });
  expect(await Promise.all([1, 2, 4].map(at))).toEqual(["1", "2", "3"]);
  expect(await at(3)).toMatch("a.jsonl has no value on line 3.");
});
