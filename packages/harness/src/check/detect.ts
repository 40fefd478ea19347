/** How a project is checked, told by its files: the first row that fits. Data. */

import { fieldsOf, parseJson, textIn } from "../json.ts";

/** `from` names what says so, for people. */
export type CheckCommand = { command: string; from: string };

/** What detection sees of a project, as it was before the turn. */
export type ProjectFacts = {
  /** Names in its own folder. */
  names: ReadonlySet<string>;
  /** The text of one of its files; undefined where there is none. */
  text: (path: string) => string | undefined;
  /** Paths of its tests. */
  tests: Iterable<string>;
};

type Row = (facts: ProjectFacts) => CheckCommand | undefined;

const rows: readonly Row[] = [
  packageScript,
  whereText("Cargo.toml", /./, "cargo test"),
  whereName("go.mod", "go test ./..."),
  whereText("tox.ini", /^\[testenv/m, "tox"),
  whereName("pytest.ini", "python3 -m pytest -q"),
  whereText("pyproject.toml", /^\[tool\.pytest/m, "python3 -m pytest -q"),
  whereText("setup.cfg", /^\[tool:pytest\]/m, "python3 -m pytest -q"),
  pythonTests,
  whereName("mix.exs", "mix test"),
  whereName("gradlew", "./gradlew test"),
  whereText("build.gradle", /./, "gradle test"),
  whereText("build.gradle.kts", /./, "gradle test"),
  whereText("pom.xml", /./, "mvn -q test"),
  whereName("deno.json", "deno test"),
  whereName(".rspec", "bundle exec rspec"),
  whereText("Rakefile", /\btest\b/i, "rake test"),
  whereName("phpunit.xml", "vendor/bin/phpunit"),
  whereName("phpunit.xml.dist", "vendor/bin/phpunit"),
  ...["Makefile", "makefile", "GNUmakefile"].flatMap((name) => [
    whereText(name, /^test\s*:(?!=)/m, "make test"),
    whereText(name, /^check\s*:(?!=)/m, "make check"),
  ]),
  whereText("justfile", /^test\b.*:/m, "just test"),
];

/** Undefined where nothing says how. Python is that of the project where it has its own: nobody may have activated it. */
export function detectCheck(facts: ProjectFacts): CheckCommand | undefined {
  for (const row of rows) {
    const found = row(facts);
    if (found !== undefined) return { ...found, command: found.command.replace(/^python3\b/, pythonOf(facts)) };
  }
  return undefined;
}

function pythonOf({ names }: ProjectFacts): string {
  const own = [".venv", "venv"].find((name) => names.has(name));
  return own === undefined ? "python3" : `${own}/bin/python`;
}

function whereName(name: string, command: string): Row {
  return ({ names }) => (names.has(name) ? { command, from: name } : undefined);
}

function whereText(name: string, pattern: RegExp, command: string): Row {
  return ({ text }) => (pattern.test(text(name) ?? "") ? { command, from: name } : undefined);
}

/** What npm puts into a package without tests. */
const placeholder = /no test specified/;

const managers: readonly (readonly [lockFile: string, manager: string])[] = [
  ["pnpm-lock.yaml", "pnpm"],
  ["yarn.lock", "yarn"],
  ["bun.lock", "bun run"],
  ["bun.lockb", "bun run"],
];

function packageScript({ names, text }: ProjectFacts): CheckCommand | undefined {
  const script = textIn(fieldsOf(fieldsOf(jsonOf(text("package.json")))["scripts"]), "test");
  if (script === "" || placeholder.test(script)) return undefined;
  const manager = managers.find(([lockFile]) => names.has(lockFile))?.[1] ?? "npm";
  return { command: `${manager} test`, from: "scripts.test in package.json" };
}

function jsonOf(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : parseJson(text);
  } catch {
    return undefined;
  }
}

const pythonTest = /(?:^|\/)(?:test_[^/]*|[^/]*_test)\.py$/;

function pythonTests({ tests }: ProjectFacts): CheckCommand | undefined {
  for (const path of tests) if (pythonTest.test(path)) return { command: "python3 -m pytest -q", from: path };
  return undefined;
}
