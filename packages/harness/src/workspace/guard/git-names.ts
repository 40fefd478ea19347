/** Files of a project that git's settings name: hooks, further settings, and programs that git runs. */

import { readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { parseGitConfig, type Setting } from "./git-config.ts";

/** Sections whose settings name programs, with any subsection. */
const running =
  /^(?:core|alias|credential|diff|difftool|filter|gpg|interactive|merge|mergetool|pager|sequence|tar|trailer|uploadpack)(?: |$)/;

/** Settings of files that include files, and so on. */
const maxIncluded = 16;

/** Relative to the root, whether they are there or not; nothing in `.git` itself. */
export function namedByGit(root: string, configFile: string): string[] {
  const found = new Set<string>();
  const files = [configFile];
  for (let at = 0; at < files.length && at < maxIncluded; at += 1) {
    const file = files[at] ?? "";
    for (const setting of settingsIn(file)) {
      const included = isInclude(setting) ? [resolve(dirname(file), setting.value)] : [];
      files.push(...included.filter((path) => !files.includes(path)));
      for (const path of [...included, ...pathsIn(setting, root)]) found.add(path);
    }
  }
  return [...found]
    .filter((path) => path.startsWith(`${root}/`) && !`${path}/`.startsWith(`${join(root, ".git")}/`))
    .map((path) => path.slice(root.length + 1));
}

/** What cannot be read has none. */
export function settingsIn(file: string): Setting[] {
  try {
    return parseGitConfig(readFileSync(file, "utf8"));
  } catch {
    return [];
  }
}

function isInclude({ section, name }: Setting): boolean {
  return name === "path" && (section === "include" || section.startsWith("includeif "));
}

/**
 * Git runs hooks and programs in the top folder. The program is the first word of a setting; behind a bare name, which
 * may be an interpreter's, the next one counts too where it is a file.
 */
function pathsIn({ section, name, value }: Setting, root: string): string[] {
  if (section === "core" && name === "hookspath") return [resolve(root, value)];
  if (!running.test(section) || (section === "alias" && !value.startsWith("!"))) return [];
  const words = value.split(/[\s"'!]+/).filter((word) => word !== "" && !word.startsWith("-"));
  const [program = "", script = ""] = words;
  if (program.includes("/")) return kindOf(resolve(root, program)) === "other" ? [] : [resolve(root, program)];
  return [program, script].map((word) => resolve(root, word)).filter((path) => kindOf(path) === "file");
}

function kindOf(path: string): "file" | "other" | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  return found.isFile() ? "file" : "other";
}
