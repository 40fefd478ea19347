import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { edit } from "../edit/edit.ts";
import { sourceOf } from "../edit/source.ts";
import { Failure } from "../error.ts";
import type { Action } from "../gate/action.ts";
import { codePolicy } from "../policy/presets.ts";
import type { Change } from "../workspace/change.ts";
import { openFence } from "../workspace/fence/on-disk.ts";
import { ripgrep } from "../workspace/search/ripgrep.ts";
import { encode } from "../workspace/text/encode.ts";
import type { Encoding } from "../workspace/text/text.ts";
import { plantTree, type Planted } from "../workspace/tree.testing.ts";
import { openWorkspace, type Hit, type Workspace } from "../workspace/workspace.ts";
import { createRedactor } from "./redactor.ts";
import { keyBegin, keyEnd, samples } from "./samples.testing.ts";
import { hidingWorkspace } from "./workspace.ts";

const never = new AbortController().signal;
const salt = Buffer.from("a salt of a session, for tests");
const password = "q7Vb2LxWm9RtZc4K";
const other = "Hn3Jd8Ws5Tg1Kp6Y";
const keyLines = ["q3Lk9xYw".repeat(8), "Zr8Tn2Vb".repeat(8), "Jt5Qc1Hd".repeat(8), "aB3="];
const key = [keyBegin(), ...keyLines, keyEnd(), ""].join("\n");
const config = `[db]\nuser = "app"\npassword = "${password}"\n`;
const hide = (text: string): string => createRedactor(salt).hide(text, "any").text;
const placeholder = hide(`password=${password}`).slice(9);

type Rig = { workspace: Workspace; raw: Workspace; actions: Action[]; at: (path: string) => Buffer; root: string };

function rig(files: Readonly<Record<string, Planted>>): Rig {
  const tree = plantTree(files);
  const fence = openFence(tree.root, codePolicy());
  onTestFinished(() => {
    fence.close();
    tree.remove();
  });
  const actions: Action[] = [];
  const gate = async (action: Action) => {
    actions.push(action);
    return { allowed: true, by: "rule" } as const;
  };
  const raw = openWorkspace({ fence, gate, search: ripgrep("") });
  const redactor = createRedactor(salt);
  const workspace = hidingWorkspace(raw, async () => redactor);
  return { workspace, raw, actions, root: tree.root, at: (path) => readFileSync(join(tree.root, path)) };
}

/** As `edit_file` does it. */
async function edited({ workspace }: Rig, path: string, old: string, text: string): Promise<string> {
  const source = await workspace.source(path, never);
  const { bytes } = edit(sourceOf(source.path, source.bytes), { old, new: text });
  const [committed] = await workspace.commit([{ path, before: source.hash, after: bytes }], never);
  return committed?.diff ?? "";
}

const created = (path: string, text: string): Change => ({ path, before: null, after: Buffer.from(text) });

async function failureOf(act: Promise<unknown>): Promise<unknown> {
  try {
    return await act;
  } catch (thrown) {
    return thrown instanceof Failure ? `${thrown.code}: ${thrown.message}` : thrown;
  }
}

async function hitsOf(workspace: Workspace, pattern: string, context = 0): Promise<Hit[]> {
  const found = await Array.fromAsync(workspace.search({ pattern, context }, never));
  return found.flatMap((one) => ("done" in one ? [] : [one]));
}

test("what is read has placeholders, and the hash of the bytes as they are", async () => {
  const { workspace, at } = rig({ "config.toml": config });
  const hash = createHash("sha256").update(at("config.toml")).digest("hex");
  const text = config.replace(password, placeholder);
  const view = { path: "config.toml", text, hash, lines: 3, encoding: "utf-8", eol: "lf" };
  expect(await workspace.read("config.toml", never)).toEqual(view);
  expect(await workspace.look("config.toml", never)).toEqual(view);
  expect(await workspace.source("config.toml", never)).toEqual({
    path: "config.toml",
    bytes: Buffer.from(text),
    hash,
    mode: 0o644,
  });
});

test("a file without a secret passes as it is, byte for byte, whatever it is", async () => {
  const odd = Buffer.from([0xff, 0xfe, 0x00, 0xd8, 0x41]);
  const { workspace, raw } = rig({ "a.ts": "const a = 1;\r\n", odd, "bin.dat": Buffer.of(0, 1, 2) });
  for (const path of ["a.ts", "odd", "bin.dat"]) {
    expect(await workspace.source(path, never)).toEqual(await raw.source(path, never));
  }
  expect(await workspace.read("a.ts", never)).toEqual(await raw.read("a.ts", never));
});

test("a line that a search finds is hidden: a part of a key, and a value that another line explained before", async () => {
  const { workspace } = rig({
    "deploy.txt": key,
    "use.ts": `const token = "${other}";\nconnect(1, ${other}, 2); // here\n`,
  });
  const [begin, ...body] = hide(key).split("\n");
  const hits = await hitsOf(workspace, "^Zr8T", 1);
  expect(hits.map(({ line, text, column }) => [line, text, column])).toEqual([
    [2, body[0], 0],
    [3, body[1], 0],
    [4, body[2], 0],
  ]);
  expect(begin).toBe(keyBegin());
  const hidden = hide(`const token = "${other}"`).slice(15, -1);
  await hitsOf(workspace, "token");
  const [use, ...more] = await hitsOf(workspace, "here");
  expect(more).toEqual([]);
  expect(use).toMatchObject({
    line: 2,
    text: `connect(1, ${hidden}, 2); // here`,
    column: `connect(1, ${hidden}, 2); // `.length,
  });
  const [secret] = await hitsOf(workspace, other.slice(3, 7));
  expect(secret).toMatchObject({ line: 1, column: 'const token = "'.length });
});

test("a placeholder that is kept, repeated or moved within its file is the secret on the disk", async () => {
  const world = rig({ "config.toml": config });
  const diff = await edited(
    world,
    "config.toml",
    `user = "app"\npassword = "${placeholder}"\n`,
    `password = "${placeholder}"\nuser = "root"\nagain = "${placeholder}"\n`,
  );
  expect(world.at("config.toml").toString()).toBe(
    `[db]\npassword = "${password}"\nuser = "root"\nagain = "${password}"\n`,
  );
  expect(diff).toContain(`+again = "${placeholder}"`);
  expect(diff).not.toContain(password);
  expect(await edited(world, "config.toml", `password = "${placeholder}"\n`, "")).toContain(`-password`);
  expect(world.at("config.toml").toString()).toBe(`[db]\nuser = "root"\nagain = "${password}"\n`);
});

test("a secret that was taken out can be put back", async () => {
  const world = rig({ "config.toml": config });
  await edited(world, "config.toml", `"${placeholder}"`, '""');
  expect(world.at("config.toml").toString()).toBe(config.replace(password, ""));
  await edited(world, "config.toml", 'password = ""', `password = "${placeholder}"`);
  expect(world.at("config.toml").toString()).toBe(config);
});

test("a placeholder is written into no other file, present or new, and nothing of the change lands", async () => {
  const world = rig({ "config.toml": config, "src/main.ts": "connect();\n" });
  const { workspace, root } = world;
  await workspace.read("config.toml", never);
  const refusal = `E_SECRET_ELSEWHERE: ${placeholder} stands for a secret of another file, so it is not written into`;
  expect(await failureOf(edited(world, "src/main.ts", "connect()", `connect("${placeholder}")`))).toBe(
    `${refusal} src/main.ts.`,
  );
  const changes = [created("ok.ts", "1;\n"), created("leak.ts", `"${placeholder}";\n`)];
  expect(await failureOf(workspace.commit(changes, never))).toBe(`${refusal} leak.ts.`);
  expect([existsSync(join(root, "ok.ts")), world.at("src/main.ts").toString()]).toEqual([false, "connect();\n"]);
  const unknown = "E_SECRET_UNKNOWN: ";
  expect(await failureOf(edited(world, "config.toml", placeholder, placeholder.slice(0, -3)))).toContain(unknown);
});

test("a file that is moved takes its secrets with it", async () => {
  const world = rig({ "config.toml": config });
  const { workspace } = world;
  const { bytes, hash } = await workspace.source("config.toml", never);
  const after = Buffer.from(bytes.toString().replace("app", "root"));
  const moved: Change[] = [
    { path: "config.toml", before: hash, after: null },
    { path: "etc/config.toml", before: null, after },
  ];
  const [gone, here] = await workspace.commit(moved, never);
  expect(world.at("etc/config.toml").toString()).toBe(config.replace("app", "root"));
  expect([gone?.diff, here?.diff].map((diff) => diff?.includes(placeholder))).toEqual([true, true]);
  expect(`${gone?.diff}${here?.diff}`).not.toContain(password);
  await edited(world, "etc/config.toml", "root", "app");
  expect(world.at("etc/config.toml").toString()).toBe(config);
});

test("who decides sees the bytes that will land, the model a diff of what it knows, also within a key", async () => {
  const world = rig({ "deploy.txt": `${key}# old\n` });
  const shown = hide(key).split("\n");
  const diff = await edited(world, "deploy.txt", "# old", "# new");
  expect(diff).toBe(
    ["--- a/deploy.txt", "+++ b/deploy.txt", "@@ -4,4 +4,4 @@", ` ${shown[3]}`, ` ${shown[4]}`, ` ${keyEnd()}`]
      .concat(["-# old", "+# new", ""])
      .join("\n"),
  );
  const [asked] = world.actions.flatMap((action) =>
    action.kind === "write" ? action.changes.map((change) => change.diff).filter((text) => text !== "") : [],
  );
  expect(asked?.split("\n").slice(3, 5)).toEqual([` ${keyLines[2]}`, ` ${keyLines[3]}`]);
});

test("a secret that the model brings is written, and not shown again", async () => {
  const world = rig({ "config.toml": '[db]\nuser = "app"\n' });
  const diff = await edited(world, "config.toml", "[db]", `[db]\npassword = "${password}"`);
  expect(world.at("config.toml").toString()).toBe(`[db]\npassword = "${password}"\nuser = "app"\n`);
  expect(diff).toContain(`+password = "${placeholder}"`);
  const [made] = await world.workspace.commit([created("new.toml", config)], never);
  expect([world.at("new.toml").toString(), made?.diff.includes(password)]).toEqual([config, false]);
  await edited(world, "new.toml", "app", "root");
  expect(world.at("new.toml").toString()).toBe(config.replace("app", "root"));
});

test("text of the file that looks like a placeholder stays what it is", async () => {
  const text = `${config}# shown as ${placeholder}\n`;
  const world = rig({ "config.toml": text });
  const diff = await edited(world, "config.toml", "app", "root");
  expect(world.at("config.toml").toString()).toBe(text.replace("app", "root"));
  expect(diff.match(/^[-+][^-+].*$/gm)).toEqual(['-user = "app"', '+user = "root"']);
});

test("a byte of an unknown encoding within a secret is the same byte again, also where nothing else tells the encoding", async () => {
  const latin = Buffer.from("url = postgres://app:q7Vb\xe92LxWm9@db:1/a\nuser = x\n", "latin1");
  const world = rig({ "a.ini": latin });
  expect((await world.workspace.read("a.ini", never)).text).toMatch(/^url = postgres:\/\/app:\[secret:[^\\]*\n/);
  await edited(world, "a.ini", "user = x", "user = yy");
  expect(world.at("a.ini")).toEqual(Buffer.from(latin.toString("latin1").replace("= x", "= yy"), "latin1"));
});

test("what changed meanwhile is not overwritten", async () => {
  const { workspace, root, at } = rig({ "config.toml": config });
  const { bytes, hash } = await workspace.source("config.toml", never);
  writeFileSync(join(root, "config.toml"), `${config}# mine\n`);
  const change = { path: "config.toml", before: hash, after: Buffer.concat([bytes, Buffer.from("# its\n")]) };
  expect(await failureOf(workspace.commit([change], never))).toMatch(/^E_STALE/);
  expect(at("config.toml").toString()).toBe(`${config}# mine\n`);
});

const lines = fc.array(
  fc.oneof(
    fc
      .constantFrom(...samples)
      .chain(({ secret, around: [before, after] = ["", ""] }) => secret.map((word) => `${before}${word}${after}`)),
    fc.constantFrom(key.trimEnd(), placeholder, "", "const a = 1;", "é 𝄞", String.raw`C:\xE9\x5C`),
    fc.string({ unit: "grapheme", maxLength: 12 }).map((text) => text.replaceAll(/[\r\n\0]/g, "")),
  ),
  { maxLength: 6 },
);
const encodings = fc.constantFrom<Encoding>("utf-8", "utf-8-bom", "utf-16le", "utf-16be", "bytes");
const marks: Partial<Record<Encoding, Buffer>> = {
  "utf-8-bom": Buffer.from("\ufeff"),
  "utf-16le": Buffer.of(0xff, 0xfe),
  "utf-16be": Buffer.of(0xfe, 0xff),
  bytes: Buffer.of(0xe9, 0x0a),
};

test("an edit elsewhere keeps every byte of the secrets of a file, whatever its encoding and its line ends", async () => {
  const world = rig({});
  const ends = fc.constantFrom("\n", "\r\n");
  await fc.assert(
    fc.asyncProperty(lines, lines, encodings, ends, async (above, below, encoding, end) => {
      // Of text in an unknown encoding all that is UTF-8 stands as it is.
      const bytesOf = (text: string): Buffer =>
        Buffer.concat([marks[encoding] ?? Buffer.of(), encode(text, encoding === "bytes" ? "utf-8" : encoding)]);
      const text = (middle: string): string => [...above, middle, ...below, ""].join("\n").replaceAll("\n", end);
      writeFileSync(join(world.root, "any.txt"), bytesOf(text("MARK-1")));
      await edited(world, "any.txt", "MARK-1", "MARK-2");
      expect(world.at("any.txt").equals(bytesOf(text("MARK-2")))).toBe(true);
    }),
    { numRuns: 150 },
  );
});
