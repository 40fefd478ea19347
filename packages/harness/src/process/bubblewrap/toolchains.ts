/**
 * Compilers, interpreters and downloaded packages that live in a home folder: read-only, in their own places, since
 * many know their own path. Only what is named is shown, so credentials beside it are not.
 */

import { realpathSync, statSync } from "node:fs";
import { delimiter, isAbsolute, join, normalize } from "node:path";
import type { Mount } from "./mount.ts";

/** Below the home folder. */
const installed = words`
  .cargo/bin .rustup
  .nvm .volta/bin .volta/tools .fnm .local/share/fnm .nodenv .local/share/pnpm .deno/bin .bun/bin
  .pyenv .local/share/uv .local/share/pipx .local/pipx .local/share/virtualenvs .local/share/hatch
  miniconda3 miniforge3 mambaforge anaconda3
  go/bin sdk .goenv .rbenv .rvm .gem/ruby .jenv .sdkman .asdf .local/share/mise
  .dotnet .ghcup .opam .juliaup .swiftly .nimble .elan .linuxbrew
  .local/bin .local/lib`;

const downloaded = words`
  .npm/_cacache .cache/yarn .yarn/berry/cache .cache/pnpm .bun/install/cache .cache/deno .cache/node-gyp .cache/node/corepack
  .cargo/registry .cargo/git go/pkg/mod .m2/repository .m2/wrapper .gradle/wrapper .gradle/caches/modules-2
  .cache/pip .cache/uv .cache/pypoetry .nuget/packages .composer/cache .cache/composer .bundle/cache .cache/coursier .ivy2
  .cache/ms-playwright .cache/puppeteer .cache/Cypress .cache/electron .cache/huggingface/hub`;

/**
 * `searchPath` is in the form of PATH; its folders are shown too, those that hold the home folder or the project aside.
 */
export function toolchainMounts(home: string, root: string, searchPath: string): Mount[] {
  const named = [...installed, ...downloaded].map((folder) => join(home, folder));
  return [...named, ...foldersOf(searchPath).filter((folder) => !holds(folder, home) && !holds(folder, root))].flatMap(
    readOnly,
  );
}

/** The folders of a PATH that can be searched inside: relative and empty entries would name the project's own. */
export function foldersOf(searchPath: string): string[] {
  const folders = searchPath.split(delimiter).filter(isAbsolute);
  return [...new Set(folders.map((folder) => normalize(`${folder}/`).slice(0, -1) || "/"))];
}

/** Where a link leads is shown as well: what lies there may call itself by that path. */
function readOnly(path: string): Mount[] {
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return [];
  const source = realpathSync(path);
  return [...new Set([path, source])].map((target) => ({ kind: "read-only", source, target }));
}

function holds(folder: string, path: string): boolean {
  return folder === "/" || path === folder || path.startsWith(`${folder}/`);
}

function words(text: TemplateStringsArray): string[] {
  return text.join("").trim().split(/\s+/u);
}
