/** Which files of a project say whether it works: tests, and what decides which of them run and how. Data. */

import { words } from "../word-list.ts";

/**
 * test: a test, or what tests compare with. source: code that has tests of its own within. definition: how the tests are
 * run; a new one can switch them off as well as a changed one, but for scripts that a check names (`isCheckScript`).
 * program: what a check command starts by name. goal: what would be taken for the check, or for done already, so that it
 * does not run.
 */
export type CheckFileKind = "test" | "source" | "definition" | "program" | "goal";

/** Folders that hold tests and what belongs to them. */
const testFolders: readonly RegExp[] = [
  /^(?:.*[._-])?(?:tests?|specs?|testdata|fixtures?|goldens?|e2e)_*$/i,
  /[a-z]Tests?$/,
  /^(?:__snapshots__|__mocks__|cypress)$/,
];

const testNames: readonly RegExp[] = [
  /\.(?:test|spec|cy|e2e)\.[^.]+$/,
  /^test_.*\.py$/,
  /[_-](?:test|spec|tests)\.[^.]+$/,
  /^tests?\.(?:rs|py)$/,
  /^(?:setup[-_]?tests?|tests?[-_](?:setup|helpers?|utils?))\.[^.]+$/i,
  /Tests?\.(?:java|kt|scala|groovy|cs|fs|php|swift)$/,
  /\.snap$/,
];

const definitionNames: readonly RegExp[] = [
  /^(?:package|composer|deno)\.jsonc?$/,
  /^(?:conftest|noxfile|sitecustomize|usercustomize)\.py$/,
  /^(?:pytest|tox)\.ini$|^\.?pytest\.toml$|^setup\.cfg$|^pyproject\.toml$|^\.coveragerc$/,
  /^(?:jest|vitest|vite|karma|ava|playwright|cypress|wdio|nightwatch)\.(?:[\w-]+\.)*[cm]?[jt]sx?$|^jest\.config\.json$/,
  /^vitest\.workspace\.|^\.(?:mocharc|nycrc|c8rc|taprc|rspec|npmrc|yarnrc)(?:\..+)?$|^bunfig\.toml$/,
  /^(?:GNU)?makefile$|^\.?justfile$|^Taskfile\.ya?ml$|^Rakefile$|^noxfile$/i,
  /^gradlew(?:\.bat)?$|^gradle-wrapper\.(?:jar|properties)$|^mvnw(?:\.cmd)?$|^\.pnp\.(?:cjs|loader\.mjs|data\.json)$/,
  /^rust-toolchain(?:\.toml)?$|^go\.(?:mod|work)$|^pnpm-workspace\.yaml$|^(?:lerna|nx|turbo|project)\.json$/,
  /^Cargo\.toml$|^nextest\.toml$|^mix\.exs$|^pom\.xml$|^(?:build|settings)\.gradle(?:\.kts)?$/,
  /^phpunit(?:\.dist)?\.xml(?:\.dist)?$|^gradle\.properties$|^\.bazelrc$/,
  /^\.(?:python|node|ruby|tool)-versions?$|^\.nvmrc$|^\.?mise\.toml$/,
  // Compilers and linters are checks too, and what turns source into what is run can leave tests out.
  /^[jt]sconfig(?:\..+)?\.json$|^biome\.jsonc?$|^\.(?:golangci|rubocop)\.(?:ya?ml|toml)$|^\.?clippy\.toml$/,
  /^\.?(?:babel|swc|eslint|oxlint|stylelint|prettier)(?:rc|ignore|\.config)(?:\.\w+)?$/,
  /^\.?(?:mypy\.ini|ruff\.toml|flake8|pylintrc|pyrightconfig\.json)$|^phpstan\.neon(?:\.dist)?$/,
];

/** Folders of nothing but settings, and those who give a runner to cargo and arguments to Maven. */
const definitionPaths: readonly RegExp[] = [/(?:^|\/)\.cargo\/config(?:\.toml)?$/, /(?:^|\/)\.mvn\/[^/]+$/];

/** Folders of installed programs: what lies directly in them. */
const programFolders: readonly RegExp[] = [
  /(?:^|\/)node_modules\/\.bin$/,
  /(?:^|\/)\.?venv\/bin$/,
  /(?:^|\/)vendor\/bin$/,
];

/** `path`: relative to the root, posix separators. Undefined: a file like any other. */
export function checkFileKind(path: string): CheckFileKind | undefined {
  const at = path.lastIndexOf("/");
  const name = path.slice(at + 1);
  const folder = at < 0 ? "" : path.slice(0, at);
  if (programFolders.some((pattern) => pattern.test(folder))) return "program";
  if (definitionNames.some((pattern) => pattern.test(name))) return "definition";
  if (definitionPaths.some((pattern) => pattern.test(path))) return "definition";
  if (testNames.some((pattern) => pattern.test(name))) return "test";
  const isOfTests = (one: string): boolean => testFolders.some((pattern) => pattern.test(one));
  return folder.split("/").some(isOfTests) ? "test" : undefined;
}

/**
 * Whether a file that a check names says what is checked, and is not what is: a script for a shell, or one that is
 * called so.
 */
export function isCheckScript(path: string): boolean {
  return (
    /\.(?:sh|bash|zsh)$/.test(path) || /(?:^|[/_.-])(?:tests?|checks?|spec|verify|ci|lint)(?:[/_.-]|$)/i.test(path)
  );
}

/** Whether something that is looked for may lie below a folder of this name. */
export function isInstalled(name: string): boolean {
  return installed.has(name);
}

/** Folders of what is installed, and never copied. */
const installed: ReadonlySet<string> = new Set(words`node_modules .venv venv vendor .yarn`);

/** Whether a file or folder of this name is what a build, a compiler or a cache leaves, ignored by git or not. */
export function isBuilt(name: string): boolean {
  return builtNames.some((pattern) => pattern.test(name));
}

const builtNames: readonly RegExp[] = [
  /^(?:target|\.next|\.nuxt|\.output|\.svelte-kit|\.turbo|\.nx|\.parcel-cache|\.cache|\.gradle|\.tox|\.nox|_build)$/,
  /^(?:\.stack-work|dist-newstyle|\.dart_tool|\.?zig-cache|cmake-build-.*|\.(?:eslint|stylelint)cache)$/,
  /\.(?:tsbuildinfo|class|o)$/,
];
