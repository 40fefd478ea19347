import { expect, test } from "vitest";
import { asFailure } from "../../error.ts";
import { ruleText, userRules } from "./rule.ts";

function failureOf(run: () => unknown): unknown {
  try {
    return run();
  } catch (thrown) {
    return asFailure(thrown).toJSON();
  }
}

test("a rule is a program and words, quoted as in a shell, with a star at the end or without", () => {
  const allow = ["git log", "git log *", "  npm   run lint ", "'my tool' \"a b\"", "npm run test:*", "mkfs*", "*"];
  expect(userRules({ allow }).map(({ program, words, open }) => [program, ...words, open])).toEqual([
    ["git", "log", false],
    ["git", "log", false],
    ["npm", "run", "lint", false],
    ["my tool", "a b", false],
    ["npm", "run", "test:", true],
    ["mkfs", true],
    ["*", false],
  ]);
  expect(userRules({ allow }).map(ruleText).slice(4)).toEqual(["npm run test:*", "mkfs*", "*"]);
});

test("rules that cannot be read are all named, whatever a configuration file holds", () => {
  const allow: string[] = JSON.parse('["mytool", "Bsh(x)", "bash(", 7, "", " ", "a; b"]');
  expect(failureOf(() => userRules({ allow, deny: ["git 'push"] }))).toEqual({
    code: "E_BAD_RULE",
    message:
      'No rule about commands: "git \'push" (deny), "Bsh(x)" (allow), "bash(" (allow), 7 (allow), "" (allow), " " (allow), ' +
      '"a; b" (allow).',
    remedy: "Write a program and the words it begins with, such as `git push` or `npm run lint`.",
  });
});

test("what a shell would expand, chain, redirect or set is no rule", () => {
  const operators = ["a && b", "a | b", "a &", "a > b", "X=1 a", "a $X", "a $(b)", "a `b`", "(a)", "a\nb", "7", "# a"];
  const patterns = ["a* b", "a ? b", "a [b]", "* a b", "a {b,c}", "a **", "~/a", "a '*'", "! a", "if a", "f() { a; }"];
  const taken = [...operators, ...patterns].filter(
    (rule) => "words" in Object(failureOf(() => userRules({ ask: [rule] })?.[0])),
  );
  expect(taken).toEqual([]);
});
