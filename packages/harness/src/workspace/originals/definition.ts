/** The part of a file that defines a check, where the rest of it is for something else: dependencies may be added. */

import { isObject, tryParseJson, type Fields } from "../../json.ts";
import { splitBlocks, type Block } from "./blocks.ts";

/** Keys of package.json and its like. */
const jsonKeys = [
  "scripts",
  "workspaces",
  "jest",
  "vitest",
  "mocha",
  "ava",
  "tap",
  "c8",
  "nyc",
  "config",
  "autoload-dev",
  "babel",
  "eslintConfig",
  "tasks",
  "test",
  "lint",
  "exclude",
];

/** Where a section of a TOML or INI file begins. */
const header = /^(?=[ \t]*\[{1,2}[^[\],\n]+\]{1,2}[ \t]*(?:[#;].*)?$)/m;
/** Those that define a check. What members of a workspace share, as their dependencies, does not. */
const section =
  /^\s*\[{1,2}\s*["']?(?:tool[.:])?(?:(?:pytest|tox|nox|coverage|hatch\.envs|poe|pdm\.scripts|mypy|ruff|pyright|flake8|pylint|lints|test|bench|lib|profile|patch|replace)\b|workspace["']?\s*\])/;
/** What decides among the facts of a Cargo package which of its tests there are. */
const switches = /^[^\n[]*\bauto(?:bins|tests|benches|examples)\b.*$/gm;

const jsonName = /(?:^|\/)(?:package|composer|deno)\.json$/;
const moduleName = /(?:^|\/)go\.mod$/;
/** Who is taken in the place of a module that tests use, within brackets or on a line. */
const replacements: Block = { opens: /^replace\s*\($/, closes: ")" };
const replacement = /^replace\s.*$/gm;
const sectionsName = /(?:^|\/)(?:pyproject\.toml|setup\.cfg|Cargo\.toml)$/;

/** Equal texts define the same check. */
export function definitionIn(path: string, text: string): string {
  if (jsonName.test(path)) {
    const found = objectIn(text);
    return found === undefined ? text : JSON.stringify(jsonKeys.map((key) => found[key] ?? null));
  }
  if (moduleName.test(path)) return replacedIn(text).replaced;
  if (!sectionsName.test(path)) return text;
  return [...looseIn(text), ...sectionsOf(text).filter(isDefining)].join("\n").replaceAll(/\s+/g, " ").trim();
}

/** The file as it is now with the check as it was. Where they cannot be told apart, the file as it was. */
export function withDefinition(path: string, now: string, before: string): string {
  if (jsonName.test(path)) {
    const [present, old] = [objectIn(now), objectIn(before)];
    if (present === undefined || old === undefined) return before;
    const others = Object.entries(present).filter(([key]) => !jsonKeys.includes(key));
    const defining = Object.entries(old).filter(([key]) => jsonKeys.includes(key));
    return `${JSON.stringify(Object.fromEntries([...others, ...defining]), undefined, 2)}\n`;
  }
  if (moduleName.test(path)) return `${replacedIn(now).rest}\n${replacedIn(before).replaced}\n`;
  if (!sectionsName.test(path) || looseIn(now).join("\n") !== looseIn(before).join("\n")) return before;
  const others = sectionsOf(now).filter((one) => !isDefining(one));
  return [...others, ...sectionsOf(before).filter(isDefining)].map((one) => one.replace(/\n?$/, "\n")).join("");
}

function replacedIn(text: string): { replaced: string; rest: string } {
  const { blocks, rest } = splitBlocks(text, replacements);
  const lines = rest.match(replacement) ?? [];
  return { replaced: [blocks, ...lines].join("\n").trim(), rest: rest.replaceAll(replacement, "") };
}

/** A header with the lines up to the next one; what stands before the first is one too. */
function sectionsOf(text: string): string[] {
  return text.split(header);
}

/** What defines a check and is no section: some lines, and what stands before all of them. */
function looseIn(text: string): string[] {
  const [first = ""] = sectionsOf(text);
  const lines = header.test(first) ? [] : first.split("\n").filter((line) => !/^\s*(?:[#;].*)?$/.test(line));
  return [...lines, ...(text.match(switches) ?? [])];
}

function isDefining(one: string): boolean {
  return section.test(one);
}

/** Undefined where it is none. */
function objectIn(text: string): Fields | undefined {
  const value = tryParseJson(text);
  return isObject(value) ? value : undefined;
}
