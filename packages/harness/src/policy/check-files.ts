/** Which files of a project say whether it works: tests, and what decides which of them run and how. Data. */

/**
 * test: a test, or what tests compare with. definition: how the tests are run; a new one can switch them off as well as
 * a changed one, but for scripts that a check names (`isCheckScript`). program: what a check command starts by name.
 * goal: what make would take for made already, so that it runs nothing.
 */
export type CheckFileKind = "test" | "definition" | "program" | "goal";

/** Folders that hold tests and what belongs to them. */
const testFolders = words("test tests __tests__ spec specs e2e testdata __snapshots__ __mocks__ cypress");

const testNames: readonly RegExp[] = [
  /\.(?:test|spec|cy|e2e)\.[^.]+$/,
  /^test_.*\.py$/,
  /[_-](?:test|spec|tests)\.[^.]+$/,
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
  /^rust-toolchain(?:\.toml)?$|^go\.work$|^pnpm-workspace\.yaml$|^(?:lerna|nx|turbo)\.json$|^\.python-version$/,
  /^Cargo\.toml$|^nextest\.toml$|^mix\.exs$|^pom\.xml$|^(?:build|settings)\.gradle(?:\.kts)?$|^phpunit\.xml(?:\.dist)?$/,
];

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
  if (testNames.some((pattern) => pattern.test(name))) return "test";
  return folder.split("/").some((one) => testFolders.has(one)) ? "test" : undefined;
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
const installed = words("node_modules .venv venv");

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(" "));
}
