/** The part of a file that defines a check, where the rest of it is for something else: dependencies may be added. */

import { isObject, parseJson, type Fields } from "../../json.ts";

/** Keys of package.json and its like. */
const jsonKeys = ["scripts", "jest", "vitest", "mocha", "ava", "tap", "c8", "nyc", "config", "autoload-dev"];

/** Sections of TOML and INI files. */
const section =
  /^\[{1,2}\s*(?:tool[.:])?(?:pytest|tox|nox|coverage|hatch\.envs|poe|pdm\.scripts|test|bench|lib|profile)\b/;

const jsonName = /(?:^|\/)(?:package|composer|deno)\.json$/;
const sectionsName = /(?:^|\/)(?:pyproject\.toml|setup\.cfg|Cargo\.toml)$/;

/** Equal texts define the same check. */
export function definitionIn(path: string, text: string): string {
  if (jsonName.test(path)) {
    const found = objectIn(text);
    return found === undefined ? text : JSON.stringify(jsonKeys.map((key) => found[key] ?? null));
  }
  if (sectionsName.test(path)) return sectionsOf(text).filter(isDefining).join("").replaceAll(/\s+/g, " ").trim();
  return text;
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
  if (!sectionsName.test(path)) return before;
  const others = sectionsOf(now).filter((one) => !isDefining(one));
  return [...others, ...sectionsOf(before).filter(isDefining)].map((one) => one.replace(/\n?$/, "\n")).join("");
}

/** A header with the lines up to the next one; what stands before the first is one too. */
function sectionsOf(text: string): string[] {
  return text.split(/^(?=\[)/m);
}

function isDefining(one: string): boolean {
  return section.test(one);
}

/** Undefined where it is none. */
function objectIn(text: string): Fields | undefined {
  try {
    const value = parseJson(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
