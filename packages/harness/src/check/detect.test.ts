import { expect, test } from "vitest";
import { detectCheck } from "./detect.ts";

/** What is found for a project of these files. */
function found(files: Readonly<Record<string, string>>): string | undefined {
  const paths = Object.keys(files);
  const names = new Set(paths.map((path) => path.split("/")[0] ?? ""));
  return detectCheck({ names, text: (path) => files[path], tests: paths })?.command;
}

const npm = JSON.stringify({ scripts: { test: "vitest run" } });
const placeholder = JSON.stringify({ scripts: { test: 'echo "Error: no test specified" && exit 1' } });

test.each<[string | undefined, Readonly<Record<string, string>>]>([
  ["npm test", { "package.json": npm, Makefile: "test:\n" }],
  ["pnpm test", { "package.json": npm, "pnpm-lock.yaml": "" }],
  ["yarn test", { "package.json": npm, "yarn.lock": "" }],
  ["bun run test", { "package.json": npm, "bun.lock": "" }],
  ["make test", { "package.json": placeholder, Makefile: "all:\n\ntest: all\n" }],
  ["make check", { "package.json": "{ broken", Makefile: "check:\n" }],
  [undefined, { "package.json": placeholder, Makefile: "test := 1\nlatest:\n" }],
  ["cargo test", { "Cargo.toml": "[package]\n" }],
  ["go test ./...", { "go.mod": "module m\n" }],
  ["tox", { "tox.ini": "[tox]\n[testenv]\n" }],
  ["python3 -m pytest -q", { "pyproject.toml": "[project]\n[tool.pytest.ini_options]\n" }],
  ["python3 -m pytest -q", { "app.py": "", "tests/test_app.py": "" }],
  [".venv/bin/python -m pytest -q", { "pytest.ini": "[pytest]\n", ".venv/bin/python": "" }],
  ["venv/bin/python -m pytest -q", { "test_app.py": "", "venv/bin/python": "" }],
  [undefined, { "pyproject.toml": "[project]\n", "app.py": "" }],
  ["mix test", { "mix.exs": "" }],
  ["./gradlew test", { gradlew: "", "build.gradle": "plugins {}" }],
  ["gradle test", { "build.gradle.kts": "plugins {}" }],
  ["just test", { justfile: "test:\n  true\n" }],
  [undefined, { "README.md": "" }],
  ["deno task test", { "deno.json": '{ "tasks": { "test": "deno test -A" } }' }],
  ["deno test", { "deno.json": "{}" }],
  ["bun test", { "package.json": "{}", "bun.lock": "", "a.test.ts": "" }],
  ["composer test", { "composer.json": '{ "scripts": { "test": "phpunit" } }' }],
  ["nox", { "noxfile.py": "" }],
  ["./mvnw -q test", { mvnw: "", "pom.xml": "<project>" }],
  ["dotnet test", { "App.sln": "" }],
  ["task test", { "Taskfile.yml": "version: 3\ntasks:\n  test:\n" }],
  ["cargo test --workspace", { "Cargo.toml": "[workspace]\nmembers = ['a']\n", "a/Cargo.toml": "[package]\n" }],
  ["go test $(go list -f '{{.Dir}}/...' -m)", { "go.work": "use ./a\n", "a/go.mod": "module a\n" }],
  [
    "npm test --workspaces --if-present",
    { "package.json": '{ "workspaces": ["packages/*"] }', "packages/a/package.json": npm },
  ],
  [
    "pnpm --recursive --if-present run test",
    { "package.json": "{}", "pnpm-workspace.yaml": "", "pnpm-lock.yaml": "", "a/package.json": npm },
  ],
  [
    "yarn workspaces foreach --all run test",
    { "package.json": '{ "workspaces": ["a"] }', "yarn.lock": "", ".yarnrc.yml": "", "a/package.json": npm },
  ],
  [
    "node_modules/.bin/turbo run test",
    { "package.json": '{ "workspaces": ["a"] }', "turbo.json": "{}", "a/package.json": npm },
  ],
  [
    "node_modules/.bin/nx run-many --target=test",
    { "package.json": '{ "workspaces": ["a"] }', "nx.json": "{}", "a/package.json": npm },
  ],
  ["(cd a && npm test)", { "package.json": '{ "workspaces": ["a"] }', "yarn.lock": "", "a/package.json": npm }],
  [undefined, { "package.json": '{ "workspaces": ["a"] }', "a/package.json": "{}" }],
  [
    "(cd back && python3 -m pytest -q) && (cd front && npm test)",
    { "back/pytest.ini": "", "front/package.json": npm, "front/sub/package.json": npm },
  ],
  [
    "(cd packages/a && npm test) && (cd 'packages/b c' && cargo test)",
    { "package.json": "{}", "packages/a/package.json": npm, "packages/b c/Cargo.toml": "[package]\n" },
  ],
])("%s", (command, files) => {
  expect(found(files)).toBe(command);
});
