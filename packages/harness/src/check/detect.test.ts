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
])("%s", (command, files) => {
  expect(found(files)).toBe(command);
});
