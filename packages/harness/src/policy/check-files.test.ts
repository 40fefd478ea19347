import { expect, test } from "vitest";
import { checkFileKind } from "./check-files.ts";

const kinds: Readonly<Record<string, readonly string[]>> = {
  test: [
    "a.test.ts",
    "src/a.spec.tsx",
    "pkg/a_test.go",
    "test_a.py",
    "tests/data.json",
    "src/test/java/A.java",
    "src/ATest.java",
    "spec/a_spec.rb",
    "src/__snapshots__/a.snap",
    "pkg/testdata/in.txt",
    "App.Tests/Sums.cs",
    "app/src/androidTest/java/A.kt",
    "integration-tests/a.ts",
    "Tests/Add.php",
    "fixtures/a.json",
    "src/tests.rs",
    "src/setupTests.ts",
  ],
  definition: [
    "package.json",
    "packages/a/package.json",
    "tests/conftest.py",
    "conftest.py",
    "jest.config.js",
    "vitest.config.mts",
    "vitest.workspace.ts",
    ".mocharc.yml",
    "Makefile",
    "Cargo.toml",
    "pyproject.toml",
    "tox.ini",
    "build.gradle.kts",
    ".npmrc",
    "sitecustomize.py",
    "gradlew",
    "gradle/wrapper/gradle-wrapper.properties",
    "mvnw",
    ".pnp.cjs",
    "rust-toolchain.toml",
    "go.work",
    "go.mod",
    "tsconfig.build.json",
    "eslint.config.mjs",
    ".babelrc",
    ".cargo/config.toml",
    ".mvn/maven.config",
    "gradle.properties",
    ".tool-versions",
  ],
  program: ["node_modules/.bin/vitest", "packages/a/node_modules/.bin/jest", ".venv/bin/pytest", "vendor/bin/phpunit"],
};

test.each(Object.entries(kinds).flatMap(([kind, paths]) => paths.map((path) => [kind, path])))(
  "%s: %s",
  (kind, path) => {
    expect(checkFileKind(path)).toBe(kind);
  },
);

test.each([
  "src/add.ts",
  "src/contest.py",
  "latest.js",
  "src/attest.go",
  "README.md",
  "bin/run",
  "src/protest/a.ts",
  "src/latest/a.ts",
  "src/config.toml",
])("none: %s", (path) => {
  expect(checkFileKind(path)).toBeUndefined();
});
