/** Who the user is to git: all of their own settings that a commit in the sandbox needs. */

import { neverAborted } from "../never.ts";
import { probeProgram } from "./probe.ts";

/** Milliseconds. */
const patience = 5_000;

/**
 * The text of a settings file with nothing but name and address, which a project's own settings override; undefined
 * where git knows neither. It is asked away from any project, whose settings could make it run something.
 */
export async function gitIdentity(
  git: string | undefined,
  environment: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  if (git === undefined) return undefined;
  const argv = [git, "config", "--global", "--includes", "--get-regexp", String.raw`^user\.(name|email)$`] as const;
  try {
    const { output } = await probeProgram(argv, { cwd: "/", env: environment, ms: patience }, neverAborted());
    const lines = output.split("\n").flatMap(settingOf);
    return lines.length === 0 ? undefined : `[user]\n${lines.join("")}`;
  } catch {
    return undefined; // a commit then says itself what it lacks
  }
}

/** From `user.name A B`. */
function settingOf(line: string): string[] {
  const [, key, value] = /^user\.(name|email) (.+)$/.exec(line) ?? [];
  if (key === undefined || value === undefined) return [];
  return [`\t${key} = "${value.replaceAll(/[\\"]/g, String.raw`\$&`)}"\n`];
}
