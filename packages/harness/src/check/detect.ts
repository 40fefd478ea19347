/** How a project is checked, told by its files: the first row that fits. Data. */

import type { CheckCommand, ProjectFacts } from "./check-command.ts";
import { bunTests, packageScript, workspaceScripts } from "./package-scripts.ts";

/** One way to tell how a project is checked. */
export type Row = (facts: ProjectFacts) => CheckCommand | undefined;

const rows: readonly Row[] = [
  packageScript,
  whereText("deno.json", /"test"\s*:/, "deno task test"),
  whereText("deno.jsonc", /"test"\s*:/, "deno task test"),
  workspaceScripts,
  whereText("composer.json", /"test"\s*:/, "composer test"),
  whereText("Cargo.toml", /^[ \t]*\[[ \t]*workspace[ \t]*\]/m, "cargo test --workspace"),
  whereText("Cargo.toml", /./, "cargo test"),
  whereText("go.work", /./, "go test $(go list -f '{{.Dir}}/...' -m)"),
  whereName("go.mod", "go test ./..."),
  whereText("tox.ini", /^\[testenv/m, "tox"),
  whereName("pytest.ini", "python3 -m pytest -q"),
  whereText("pyproject.toml", /^\[tool\.pytest/m, "python3 -m pytest -q"),
  whereText("setup.cfg", /^\[tool:pytest\]/m, "python3 -m pytest -q"),
  pythonTests,
  whereName("noxfile.py", "nox"),
  whereName("mix.exs", "mix test"),
  whereName("gradlew", "./gradlew test"),
  whereText("build.gradle", /./, "gradle test"),
  whereText("build.gradle.kts", /./, "gradle test"),
  whereName("mvnw", "./mvnw -q test"),
  whereText("pom.xml", /./, "mvn -q test"),
  whereName("deno.json", "deno test"),
  whereName("deno.jsonc", "deno test"),
  whereName(".rspec", "bundle exec rspec"),
  whereText("Rakefile", /\btest\b/i, "rake test"),
  whereName("phpunit.xml", "vendor/bin/phpunit"),
  whereName("phpunit.xml.dist", "vendor/bin/phpunit"),
  whereName("Package.swift", "swift test"),
  whereName("build.sbt", "sbt test"),
  whereEnding(/\.(?:sln|slnx|csproj|fsproj)$/, "dotnet test"),
  bunTests,
  ...["Makefile", "makefile", "GNUmakefile"].flatMap((name) => [
    whereText(name, /^test\s*:(?!=)/m, "make test"),
    whereText(name, /^check\s*:(?!=)/m, "make check"),
  ]),
  ...["justfile", ".justfile"].map((name) => whereText(name, /^test\b.*:/m, "just test")),
  ...["Taskfile.yml", "Taskfile.yaml"].map((name) => whereText(name, /^ {2}test:/m, "task test")),
];

/** Packages of a repository that is checked package by package. */
const mostPackages = 20;

/**
 * Undefined where nothing says how. A repository that does not say it as a whole is checked by its packages, each in its
 * own folder.
 */
export function detectCheck(facts: ProjectFacts): CheckCommand | undefined {
  return detectIn(facts) ?? packageByPackage(facts);
}

/** Python is that of the project where it has its own: nobody may have activated it. */
function detectIn(facts: ProjectFacts): CheckCommand | undefined {
  for (const row of rows) {
    const found = row(facts);
    if (found !== undefined) return { ...found, command: found.command.replace(/^python3\b/, pythonOf(facts)) };
  }
  return undefined;
}

/** The outermost folders that say how; they may be as deep as `packages/a`. */
function packageByPackage({ text, tests }: ProjectFacts): CheckCommand | undefined {
  const paths = [...tests];
  const folders = new Set(paths.flatMap((path) => [folderAt(path, 1), folderAt(path, 2)]));
  const found = new Map<string, CheckCommand>();
  for (const folder of [...folders].toSorted((one, other) => depthOf(one) - depthOf(other) || (one < other ? -1 : 1))) {
    if (folder === "" || [...found.keys()].some((outer) => folder.startsWith(`${outer}/`))) continue;
    const below = paths.filter((path) => path.startsWith(`${folder}/`)).map((path) => path.slice(folder.length + 1));
    const names = new Set(below.map((path) => path.split("/", 1).join()));
    const check = detectIn({ names, text: (path) => text(`${folder}/${path}`), tests: below });
    if (check !== undefined) found.set(folder, check);
  }
  if (found.size === 0 || found.size > mostPackages) return undefined;
  const lines = [...found].map(([folder, { command }]) => `(cd ${shellQuoted(folder)} && ${command})`);
  return {
    command: lines.join(" && "),
    from: [...found].map(([folder, { from }]) => `${from} in ${folder}`).join(", "),
  };
}

/** So many names of the way to a file; empty where it is no such folder. */
function folderAt(path: string, levels: number): string {
  const names = path.split("/");
  return names.length > levels ? names.slice(0, levels).join("/") : "";
}

function depthOf(folder: string): number {
  return folder.split("/").length;
}

function shellQuoted(word: string): string {
  return /^[\w./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
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

function whereEnding(ending: RegExp, command: string): Row {
  return ({ names }) => {
    const from = [...names].find((name) => ending.test(name));
    return from === undefined ? undefined : { command, from };
  };
}

const pythonTest = /(?:^|\/)(?:test_[^/]*|[^/]*_test)\.py$/;

function pythonTests({ tests }: ProjectFacts): CheckCommand | undefined {
  for (const path of tests) if (pythonTest.test(path)) return { command: "python3 -m pytest -q", from: path };
  return undefined;
}
