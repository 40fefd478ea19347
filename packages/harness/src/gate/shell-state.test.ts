import { expect, test } from "vitest";
import type { CommandVerdict } from "./command.ts";
import { changeIn, newShell, verdictIn, type Definition } from "./shell-state.ts";

const change = (kind: Definition["kind"], code: string): string | undefined =>
  changeIn({ ...newShell, definitions: [{ kind, code }] });

test.each<[Definition["kind"], string]>([
  ["variable", 'declare -- x="1"'],
  ["variable", String.raw`declare -- x="a \"b\" \$c \\ \` d"`],
  ["variable", String.raw`declare -- x=$'a\nb\'c'`],
  ["variable", 'declare -x CI="1"'],
  ["variable", "declare -- x"],
  ["variable", String.raw`declare -a x=([0]="a" [1]=$'b\n')`],
  ["variable", "declare -a x=()"],
  ["unset", "unset -v CI"],
  ["option", "set -o errexit"],
  ["option", "set +o pipefail"],
  ["umask", "umask 0077"],
  ["arguments", "set --"],
  ["arguments", String.raw`set -- a b\ c $'d\n' '' -x é`],
])("%s %s means nothing else for a line", (kind, code) => {
  expect(change(kind, code)).toBeUndefined();
});

test.each<[Definition["kind"], string]>([
  ["variable", 'declare -- x="1"; rm -rf src'],
  ["variable", 'declare -- x="$(rm -rf src)"'],
  ["variable", 'declare -- x="`rm -rf src`"'],
  ["variable", 'declare -- x="a" y="b"'],
  ["variable", 'declare -a x=([0]="a" [$(id)]="b")'],
  ["variable", "declare -- x=$(id)"],
  ["variable", 'declare -n x="PATH"'],
  ["variable", 'declare -i x="1"'],
  ["variable", 'declare -x PATH="/evil"'],
  ["variable", 'declare -- PATH="/evil"'],
  ["variable", 'declare -x GIT_DIR="x"'],
  ["variable", 'declare -x unknown="1"'],
  ["unset", "unset -v PATH"],
  ["unset", "unset -v x; rm x"],
  ["option", "set -o posix"],
  ["option", "set -o errexit; rm x"],
  ["setting", "shopt -s expand_aliases"],
  ["umask", "umask 0077; rm x"],
  ["arguments", "set -- $(rm x)"],
  ["arguments", "set -- a; rm x"],
  ["arguments", "set -- `rm x`"],
  ["arguments", "set -- a\nrm x"],
  ["function", "ls () \n{ \n    :\n}"],
  ["alias", "alias ls='x'"],
  ["trap", "trap -- 'x' EXIT"],
])("%s %s may give a line another meaning", (kind, code) => {
  expect(change(kind, code)).toBeTypeOf("string");
});

const verdict = (decision: CommandVerdict["decision"], profile: CommandVerdict["profile"]): CommandVerdict => ({
  decision,
  rule: "r",
  profile,
});

test("in a changed shell nothing is allowed by a rule, and what is asked or denied stays so", () => {
  const changed = { ...newShell, definitions: [{ kind: "function", code: "f () { :; }" } as const] };
  const rule = "in this shell functions are defined, so that a line may do other than it says";
  expect(verdictIn(newShell, verdict("allow", "git"))).toEqual(verdict("allow", "git"));
  expect(verdictIn(changed, verdict("allow", "git"))).toEqual({ ...verdict("unlisted", "plain"), rule });
  expect((["unlisted", "ask", "deny"] as const).map((one) => verdictIn(changed, verdict(one, "git")))).toEqual(
    (["unlisted", "ask", "deny"] as const).map((one) => verdict(one, "plain")),
  );
  expect(verdictIn({ ...newShell, elsewhere: "/tmp" }, verdict("allow", "plain")).decision).toBe("unlisted");
});
