import { expect, test } from "vitest";
import { artifactRig } from "../../preset/artifact-rig.testing.ts";

/** More than is hidden as a whole. */
const large = "filler\n".repeat(200_000);
const token = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";

/** Pieces of the token that are long enough to be of use. */
function pieces(text: string): string[] {
  const found: string[] = [];
  for (let at = 0; at + 8 <= token.length; at++)
    if (text.includes(token.slice(at, at + 8))) found.push(token.slice(at));
  return found;
}

test("of a secret where a line of a large file is cut no piece is shown, by whatever call", async () => {
  const lines = Array.from({ length: 12 }, (_, at) => `${"y ".repeat(975 + at * 2)}${token}${" z".repeat(5_000)}`);
  const { call, open } = await artifactRig({ "a.md": `# h ${lines[3]}\n${large}${lines.join("\n")}\n` });
  const id = await open("open_markdown_file", { path: "a.md" });
  const calls: [name: string, input: object][] = [
    ["artifact_head", {}],
    ["artifact_tail", { lines: 12 }],
    ["artifact_cat", { start: 200_002 }],
    ["artifact_md_headings", {}],
    ["artifact_md_sections", { sections: ["1"] }],
    ["artifact_grep", { pattern: "^y" }],
    ["artifact_grep", { pattern: "z$", context: 2 }],
    ["artifact_grep", { pattern: "16C7" }],
  ];
  for (const [name, input] of calls) {
    const shown = await call(name, { artifact_id: id, ...input });
    expect([name, shown.length > 500, pieces(shown)]).toEqual([name, true, []]);
  }
});

test("nor where what stands beside a match is cut", async () => {
  // With one line of context so many bytes are read above a match, and as many from it on.
  const reach = 8_192;
  const above = (at: number): string[] => {
    const text = `${"a ".repeat((9_000 - reach - 40 + at) / 2)}${token} `;
    return [text + "b".repeat(9_000 - text.length), `one${at}`];
  };
  const below = (at: number): string[] => {
    const text = `two${at} ${"c ".repeat(3_500)}`;
    return [text, `${"d ".repeat((reach - text.length - 40 + at) / 2)}${token} ${"e".repeat(4_000)}`];
  };
  const places = Array.from({ length: 20 }, (_, at) => at * 2);
  const { call, open } = await artifactRig({
    "a.txt": `${large}${places.flatMap((at) => [...above(at), ...below(at)]).join("\n")}`,
  });
  const id = await open("open_file", { path: "a.txt" });
  for (const pattern of places.flatMap((at) => [`^one${at}$`, `^two${at} `])) {
    const shown = await call("artifact_grep", { artifact_id: id, pattern, context: 1 });
    expect([pattern, shown.length > 2_000, pieces(shown)]).toEqual([pattern, true, []]);
  }
});

test("a value that only its name tells to be a secret is none to be had from a large file without the name", async () => {
  const password = "hUnter2-Zq81xkP0";
  const row = JSON.stringify({ db: { password, port: 5432 } });
  const { call, open } = await artifactRig({
    "a.json": JSON.stringify({ pad: "x".repeat(1_200_000), db: { password, port: 5432 } }),
    "a.jsonl": `${row}\n`.repeat(40_000),
  });
  for (const [path, line] of [["a.json"], ["a.jsonl", 1]] as const) {
    const id = await open("open_json_file", { path });
    const get = (at: string): Promise<string> => call("artifact_json_get", { artifact_id: id, path: at, line });
    expect(await get("db.password")).toMatch(/^"\[secret:value:[0-9a-f]{16}\]"$/);
    expect(await get("db.port")).toBe("5432");
    const filtered = await call("artifact_json_filter", { artifact_id: id, pluck: ["db.password"], limit: 2 });
    expect(filtered).not.toContain("Unter2");
  }
});

test("no condition on a value that is hidden tells what it is, in a large file", async () => {
  const password = "hUnter2-Zq81xkP0";
  const row = JSON.stringify({ db: { password, port: 5432 }, token });
  const other = { db: { password: "", port: 1 }, token: "none" };
  const { call, open } = await artifactRig({
    "a.jsonl": `${row}\n${`${JSON.stringify({ pad: "x".repeat(90) })}\n`.repeat(12_000)}`,
    "a.json": JSON.stringify([JSON.parse(row), other, { pad: "x".repeat(1_200_000) }]),
  });
  /** What tells `secret` from a value that begins otherwise, ends otherwise, or is greater. */
  const guesses = (path: string, secret: string): object[] => [
    { path, op: "eq", value: secret },
    { path, op: "contains", value: secret.slice(0, 3) },
    { path, op: "gt", value: secret.slice(0, -1) },
    { path, op: "lte", value: secret },
    { path, op: "ne", value: "x" },
  ];
  for (const file of ["a.jsonl", "a.json"]) {
    const id = await open("open_json_file", { path: file });
    const filter = (more: object): Promise<string> =>
      call("artifact_json_filter", { artifact_id: id, pluck: ["db.port"], limit: 1, ...more });
    const found = await Promise.all(
      [...guesses("db.password", password), ...guesses("token", token)].map((guess) => filter({ where: [guess] })),
    );
    expect([file, found.filter((text) => text.includes("5432")).length]).toEqual([file, 0]);
    expect(await filter({ where: [{ path: "db.password", op: "exists" }] })).toContain("5432");
    expect(await filter({ where: [{ path: "db.port", op: "gt", value: 5_000 }] })).toContain("5432");
  }
  const id = await open("open_json_file", { path: "a.json" });
  const parts = (value: string): Promise<string> =>
    call("artifact_json_filter", { artifact_id: id, path: "[0].db", where: [{ path: "", op: "contains", value }] });
  expect(await parts("hUn")).toBe("Nothing meets these conditions.");
});
