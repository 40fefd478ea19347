/** Environment variables by what they can do to the programs that see them. */

import type { Word } from "../shell/word.ts";
import { words } from "../../word-list.ts";

/** No program takes these for something to run, load or write; bash splits only what it has expanded by IFS. */
const harmless: ReadonlySet<string> = new Set(words`
  CI NODE_ENV FORCE_COLOR NO_COLOR CLICOLOR TERM COLUMNS LINES TZ LANG LC_ALL LC_CTYPE DEBUG VERBOSE
  RUST_BACKTRACE RUST_LOG RUST_TEST_THREADS RUST_MIN_STACK CARGO_TERM_COLOR CARGO_INCREMENTAL
  CGO_ENABLED GOOS GOARCH GOARM GOAMD64 GOMAXPROCS GOGC GOMEMLIMIT GOTRACEBACK CMAKE_BUILD_PARALLEL_LEVEL
  PYTHONDONTWRITEBYTECODE PYTHONUNBUFFERED PYTHONHASHSEED PYTHONUTF8 PYTHONIOENCODING NODE_NO_WARNINGS IFS`);

/** Programs run, load or find other programs by them, or talk to others than they seem to. */
const dangerous: readonly RegExp[] = [
  /^(?:PATH|CDPATH|HOME|SHELL|ENV|BASH.*|SHELLOPTS|PS\d|PROMPT_COMMAND|FPATH|ZDOTDIR|TMPDIR|XDG_.*|.*_HOME)$/,
  /^(?:LD|DYLD|GIT|NPM_CONFIG|NODE|PYTHON|PERL|RUBY|JAVA|JDK|_JAVA|DOTNET|CARGO|RUST|GO|CGO|PIP|UV|SSH|CMAKE).*$/i,
  /^.*(?:PAGER|EDITOR|VISUAL|BROWSER|ASKPASS|OPENER|_PROXY|_OPTIONS|_OPTS|FLAGS|PREFIX|PRELOAD)$/i,
  /^(?:LESS.*|MAKE.*|CC|CXX|LINKER|BUILD_.*|RIPGREP_.*|.*_CONFIG.*|.*RC|GREP_.*|LOCPATH|GCONV_PATH|TEXTDOMAIN.*)$/,
];

export type Variable = { decision: "allow" | "unlisted" | "ask"; why: string };

/**
 * `exported`: it is set for a program. One that is not may be in the environment all the same, if its name is there
 * already: what nobody exports has a small letter in its name.
 */
export function judgeVariable(name: string, exported: boolean): Variable {
  if (harmless.has(name)) return { decision: "allow", why: `\`${name}\` is harmless` };
  if (!/^\w+$/.test(name)) return { decision: "ask", why: "the name of a variable is not known" };
  if (dangerous.some((pattern) => pattern.test(name))) {
    return { decision: "ask", why: `\`${name}\` can make programs run others` };
  }
  if (!exported && /[a-z]/.test(name)) return { decision: "allow", why: `\`${name}\` stays in the shell` };
  return { decision: "unlisted", why: `no rule knows the variable \`${name}\`` };
}

/** The variables that a builtin of the shell sets by name; what is no plain name stands as it is. */
export function namesSet(program: string, given: readonly Word[]): readonly Word[] {
  switch (program) {
    case "export":
      return given.map((word) => (typeof word === "string" ? word.replace(/=.*$/s, "") : word));
    // The value of an option may look like a name: judged like one, it does no harm.
    case "read":
      return given.filter((word) => typeof word !== "string" || /^[A-Za-z_]\w*(?:\[|$)/.test(word));
    default:
      return [];
  }
}
