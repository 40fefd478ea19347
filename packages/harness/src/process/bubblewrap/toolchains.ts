/**
 * Compilers, interpreters and downloaded packages that live in a home folder: read-only, in their own places, since
 * many know their own path. Only what is named is shown, so credentials beside it are not.
 */

import { realpathSync } from "node:fs";
import { basename, delimiter, dirname, isAbsolute, join, normalize } from "node:path";
import { words } from "../../word-list.ts";
import type { Mount } from "./mount.ts";

/** Beside these lies the store of certificates, with the keys of those that are the person's own. */
const dotnet = words`dotnet host shared sdk sdk-manifests packs templates store tools metadata library-packs`;

/** Not all of an environment: its pip.conf may tell a password. */
const virtual = words`bin lib lib64 libexec include share pyvenv.cfg`;

/** Below the home folder. */
const installed = words`
  .cargo/bin .rustup
  .nvm .volta .fnm .local/share/fnm .nodenv .local/share/pnpm .deno/bin .bun/bin
  .pyenv .local/share/uv .local/share/pipx .local/pipx .local/share/virtualenvs .local/share/hatch
  miniconda3 miniforge3 mambaforge anaconda3 micromamba .conda/envs .local/share/mamba .pixi/bin .pixi/envs
  go/bin sdk .goenv .rbenv .rvm .gem/ruby .jenv .jdks .sdkman .gradle/jdks Android/Sdk .asdf .tool-versions .local/share/mise
  .ghcup .cabal/bin .cabal/store .stack/programs .stack/snapshots .mix/archives .mix/elixir .opam .juliaup .swiftly .nimble .elan .linuxbrew
  .local/bin .local/lib`;

const downloaded = words`
  .npm/_cacache .cache/yarn .yarn/berry/cache .cache/pnpm .bun/install/cache .cache/deno .cache/node-gyp .cache/node/corepack
  .cargo/registry .cargo/git go/pkg/mod .m2/repository .m2/wrapper .gradle/wrapper .gradle/caches/modules-2
  .cache/pip .cache/uv .cache/pypoetry .cabal/packages .hex/packages .pub-cache/hosted .nuget/packages .composer/cache .cache/composer .bundle/cache .cache/coursier .ivy2
  .cache/ms-playwright .cache/puppeteer .cache/Cypress .cache/electron .cache/huggingface/hub`;

/** Where the environment may say that they are, and what of it is shown. */
const elsewhere: Readonly<Record<string, readonly string[]>> = {
  ANDROID_HOME: ["."],
  ASDF_DATA_DIR: ["."],
  ASDF_DIR: ["."],
  BUN_INSTALL: ["bin"],
  CARGO_HOME: ["bin", "registry", "git"],
  CONDA_PREFIX: ["."],
  DOTNET_ROOT: dotnet,
  GOPATH: ["bin", "pkg/mod"],
  GOROOT: ["."],
  JAVA_HOME: ["."],
  MISE_DATA_DIR: ["."],
  NODE_EXTRA_CA_CERTS: ["."],
  NVM_DIR: ["."],
  PNPM_HOME: ["."],
  PYENV_ROOT: ["."],
  RBENV_ROOT: ["."],
  RUSTUP_HOME: ["."],
  SDKMAN_DIR: ["."],
  SSL_CERT_DIR: ["."],
  SSL_CERT_FILE: ["."],
  VIRTUAL_ENV: virtual,
  VOLTA_HOME: ["."],
};

/**
 * What a program reads of its own installation, by the folder the PATH names. Not all that lies there: a `bin` may be
 * the person's own, and beside it `share`, where desktops keep keys.
 */
const besidePrograms: Readonly<Record<string, readonly string[]>> = {
  bin: words`lib libexec pyvenv.cfg`,
  shims: words`bin lib libexec plugins installs versions version pyenv.d rbenv.d nodenv.d goenv.d`,
};

export type Toolchains = {
  home: string;
  root: string;
  /** In the form of PATH; its folders are shown too. */
  searchPath: string;
  environment: Readonly<Record<string, string>>;
};

/**
 * Whatever holds the home folder or the project is left out, wherever it is named, and so is all of the project: its
 * policy says what of it is shown, and a link in it may have been made by anybody.
 */
export function toolchainMounts({ home, root, searchPath, environment }: Toolchains): Mount[] {
  const named = [...installed, ...dotnet.map((part) => join(".dotnet", part)), ...downloaded].map((folder) =>
    join(home, folder),
  );
  const told = Object.entries(elsewhere).flatMap(([variable, parts]) => {
    const folder = environment[variable] ?? "";
    return isAbsolute(folder) ? parts.map((part) => join(folder, part)) : [];
  });
  return [...named, ...told, ...foldersOf(searchPath).flatMap(installation)]
    .flatMap(waysTo)
    .filter((ways) => !ways.some((path) => holds(path, home) || holds(path, root) || holds(root, path)))
    .filter(([path = ""]) => !holds(root, realpathSync(dirname(path))))
    .flatMap(readOnly);
}

/** A folder of programs, and what they need beside it. */
function installation(programs: string): string[] {
  if (basename(programs) === ".dotnet") return dotnet.map((part) => join(programs, part));
  const needed = besidePrograms[basename(programs)] ?? [];
  return [programs, ...needed.map((name) => join(dirname(programs), name))];
}

/** A path, and where it leads; none for what is not there, or not for this user. */
function waysTo(path: string): string[][] {
  try {
    return [[path, realpathSync(path)]];
  } catch {
    return [];
  }
}

/** The folders of a PATH that can be searched inside: relative and empty entries would name the project's own. */
export function foldersOf(searchPath: string): string[] {
  const folders = searchPath.split(delimiter).filter(isAbsolute);
  return [...new Set(folders.map((folder) => normalize(`${folder}/`).slice(0, -1) || "/"))];
}

/** Both are shown: what lies there may call itself by either. */
function readOnly(ways: readonly string[]): Mount[] {
  const source = ways.at(-1) ?? "";
  return [...new Set(ways)].map((target) => ({ kind: "read-only", source, target }));
}

function holds(folder: string, path: string): boolean {
  return folder === "/" || path === folder || path.startsWith(`${folder}/`);
}
