/**
 * The layout is enforced, not only described: a copy of this tree with one violation of each kind planted must fail the
 * lint at exactly those lines. The floors are written down here a second time, so that a hole in floors.ts shows.
 */

import { execFile } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { floors } from "../floors.ts";
import { violations } from "./support/violations.ts";

const root = join(import.meta.dirname, "..");
const harness = "packages/harness/src";

/** From the ground up. */
const fromTheGround = [
  ["message.ts", "error.ts", "json.ts", "first-difference.ts"],
  ["policy", "gate", "model"],
  ["process"],
  ["workspace"],
  ["event.ts", "artifact", "edit", "redact"],
  ["tool", "check", "session"],
  ["agent"],
  ["preset", "testing", "testing.ts", "index.ts"],
];

/** Folders whose port has their name. */
const ownPort = new Set(["model", "tool", "check", "session", "workspace"]);

/** One objection of the lint: `where` is file:line. */
type Report = { where: string; rule: string; says: string };
type Diagnostic = {
  code: string;
  message: string;
  help?: string | null;
  filename: string;
  labels: { span: { line: number } }[];
};

/** Milliseconds: the lint knows types, and the machine may have other things to do. */
const patience = 180_000;

let folder = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "croft-guard-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The sources and their rules; installed packages by link, but for the workspaces, which must be the copies. */
function copyTree(name: string): string {
  const copy = join(folder, name);
  const wanted = ["oxlint.config.ts", "floors.ts", "tsconfig.json", "tsconfig.base.json", "package.json", ".gitignore"];
  for (const entry of [...wanted, "packages"]) {
    cpSync(join(root, entry), join(copy, entry), {
      recursive: true,
      filter: (path) => !/\/(?:dist|node_modules|[^/]*\.test\.ts)$/.test(path),
    });
  }
  mkdirSync(join(copy, "node_modules/@croft"), { recursive: true });
  symlinkSync(join(copy, "packages/harness"), join(copy, "node_modules/@croft/harness"));
  for (const entry of readdirSync(join(root, "node_modules"))) {
    if (entry === "@croft" || entry === "croft") continue;
    symlinkSync(join(root, "node_modules", entry), join(copy, "node_modules", entry));
  }
  return copy;
}

async function lint(copy: string): Promise<Report[]> {
  const oxlint = join(root, "node_modules/.bin/oxlint");
  const options = { cwd: copy, maxBuffer: 2 ** 26, timeout: patience };
  const output = await promisify(execFile)(oxlint, ["--deny-warnings", "--format", "json"], options).then(
    ({ stdout }) => stdout,
    // Exit code 1 with reports on stdout is what is wanted; anything else does not parse.
    (error: { stdout: string }) => error.stdout,
  );
  const { diagnostics }: { diagnostics: Diagnostic[] } = JSON.parse(output);
  return diagnostics.map(({ code, message, help, filename, labels }) => ({
    where: `${filename}:${labels[0]?.span.line}`,
    rule: code.replace(/^.*\((.*)\)$/, "$1"),
    says: `${message} ${help ?? ""}`,
  }));
}

/** The file a violation is planted in: a new one in a folder, or the end of one that stands alone. */
function place(name: string, file: string): string {
  return name.endsWith(".ts") ? join(harness, name) : join(harness, name, file);
}

function importPath(from: string, to: string): string {
  const up = from.endsWith(".ts") ? "./" : "../";
  return to.endsWith(".ts") ? `${up}${to}` : `${up}${to}/${ownPort.has(to) ? to : "some"}.ts`;
}

/** One line for each way to import. */
function waysToImport(path: string, name: string): string[] {
  return [
    `export { ${name} } from "${path}";`,
    `export type { ${name}Type } from "${path}";`,
    `export const ${name}Later: Promise<unknown> = import("${path}");`,
  ];
}

/** Writes lines at the end of a file and gives back where they stand. */
function plant(copy: string, file: string, lines: readonly string[]): string[] {
  const path = join(copy, file);
  mkdirSync(dirname(path), { recursive: true });
  const before = existsSync(path) ? readFileSync(path, "utf8") : "";
  writeFileSync(path, `${before}${lines.join("\n")}\n`);
  const first = before.split("\n").length;
  return lines.map((_, at) => `${file}:${first + at}`);
}

test(
  "the tree as it is passes",
  async () => {
    expect(await lint(copyTree("clean"))).toEqual([]);
  },
  patience,
);

test(
  "every import upwards is refused, in every spelling, and none downwards is",
  async () => {
    const copy = copyTree("floors");
    const upwards: string[] = [];
    for (const [floor, names] of fromTheGround.entries()) {
      const above = fromTheGround.slice(floor + 1).flat();
      const below = fromTheGround.slice(0, floor).flat();
      for (const name of names) {
        const up = above.flatMap((other, at) => waysToImport(importPath(name, other), `up${at}`));
        upwards.push(...plant(copy, place(name, "upwards.ts"), up));
        const reachable =
          name === "agent" ? below.filter((other) => ownPort.has(other) || other.endsWith(".ts")) : below;
        const down = reachable.map((other, at) => `export type { down${at} } from "${importPath(name, other)}";`);
        plant(copy, place(name, "downwards.ts"), down);
      }
    }
    const restricted = (await lint(copy)).filter(({ rule }) => rule === "no-restricted-imports");
    expect([...new Set(restricted.map(({ where }) => where))].toSorted()).toEqual(upwards.toSorted());
  },
  patience,
);

test(
  "each other violation is refused, by its rule and with its reason",
  async () => {
    const copy = copyTree("violations");
    const planted = violations.flatMap(({ rule, words, plant: files }) =>
      Object.entries(files).map(([file, code]) => {
        const path = file.startsWith("cli/") ? `packages/${file}` : `${harness}/${file}`;
        return { rule, words, where: plant(copy, path, [code])[0] };
      }),
    );
    const reports = await lint(copy);
    const missed = planted.filter(
      ({ rule, words, where }) =>
        !reports.some((report) => report.where === where && report.rule === rule && words.test(report.says)),
    );
    expect(missed).toEqual([]);
    expect(reports.filter(({ where }) => !planted.some((each) => each.where === where))).toEqual([]);
  },
  patience,
);

test("every place of the harness stands on a floor", () => {
  const ruled = new Set(floors.flatMap(({ files }) => files));
  const places = readdirSync(join(root, harness), { withFileTypes: true })
    .filter(({ name }) => name !== "words.d.ts" && !name.endsWith(".test.ts"))
    .map((entry) => `${harness}/${entry.name}${entry.isDirectory() ? "/**" : ""}`);
  expect(places.filter((each) => !ruled.has(each))).toEqual([]);
});
