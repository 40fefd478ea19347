/** How projects are checked that have a package.json: told by its scripts, and by who runs them. */

import { fieldsOf, textIn, tryParseJson, type Fields } from "../json.ts";
import type { CheckCommand, ProjectFacts } from "./check-command.ts";

/** What npm puts into a package without tests. */
const placeholder = /no test specified/;

const managers: readonly (readonly [lockFile: string, manager: string])[] = [
  ["pnpm-lock.yaml", "pnpm"],
  ["yarn.lock", "yarn"],
  ["bun.lock", "bun run"],
  ["bun.lockb", "bun run"],
];

function managerOf({ names }: ProjectFacts): string {
  return managers.find(([lockFile]) => names.has(lockFile))?.[1] ?? "npm";
}

/** What the package itself says. */
export function packageScript(facts: ProjectFacts): CheckCommand | undefined {
  if (testScript(facts.text("package.json")) === "") return undefined;
  return { command: `${managerOf(facts)} test`, from: "scripts.test in package.json" };
}

/** Empty where there is none, or that which stands for none. */
function testScript(manifest: string | undefined): string {
  const script = textIn(scriptsOf(manifest), "test");
  return placeholder.test(script) ? "" : script;
}

/** How each manager runs the tests of all packages of a workspace; those without tests are passed over. */
const ofAllPackages: Readonly<Record<string, string>> = {
  npm: "npm test --workspaces --if-present",
  pnpm: "pnpm --recursive --if-present run test",
  yarn: "yarn workspaces foreach --all run test",
  "bun run": "bun run --filter '*' test",
};

/** Those who know what has to be built before. */
const builders: readonly CheckCommand[] = [
  { command: "node_modules/.bin/turbo run test", from: "turbo.json" },
  { command: "node_modules/.bin/nx run-many --target=test", from: "nx.json" },
];

/** A workspace whose own package says nothing, but some of its members do. */
export function workspaceScripts(facts: ProjectFacts): CheckCommand | undefined {
  const { names, text, tests } = facts;
  const root = fieldsOf(tryParseJson(text("package.json") ?? ""));
  const isWorkspace = root["workspaces"] !== undefined || names.has("pnpm-workspace.yaml");
  if (!isWorkspace) return undefined;
  const members = [...tests].filter((path) => path.endsWith("/package.json"));
  if (!members.some((path) => testScript(text(path)) !== "")) return undefined;
  const known = builders.find(({ from }) => names.has(from));
  if (known !== undefined) return known;
  // The old yarn fails where one of them has no tests: they are checked one by one.
  if (names.has("yarn.lock") && !names.has(".yarnrc.yml")) return undefined;
  const command = ofAllPackages[managerOf(facts)];
  return command === undefined ? undefined : { command, from: "the packages of the workspace" };
}

/** Bun's own runner needs no script. */
export function bunTests({ names, tests }: ProjectFacts): CheckCommand | undefined {
  const from = ["bun.lock", "bun.lockb", "bunfig.toml"].find((name) => names.has(name));
  if (from === undefined || ![...tests].some((path) => /[._](?:test|spec)\.[jt]sx?$/.test(path))) return undefined;
  return { command: "bun test", from };
}

function scriptsOf(manifest: string | undefined): Fields {
  return fieldsOf(fieldsOf(tryParseJson(manifest ?? ""))["scripts"]);
}

const called = /\b(?:npm|pnpm|yarn|bun)\s+(?:run(?:-script)?\s+)?([\w:.-]+)/g;

/**
 * Lines of the scripts that a command runs by their names, and of those that these run. `manifest`: the text of
 * package.json.
 */
export function scriptsCalled(command: string, manifest: string | undefined): string {
  const scripts = scriptsOf(manifest);
  const found = new Map<string, string>();
  const lines = [command];
  for (let line = lines.pop(); line !== undefined; line = lines.pop()) {
    for (const [, name = ""] of line.matchAll(called)) {
      for (const one of [`pre${name}`, name, `post${name}`]) {
        const script = textIn(scripts, one);
        if (script === "" || found.has(one)) continue;
        found.set(one, script);
        lines.push(script);
      }
    }
  }
  return [...found.values()].join("\n");
}
