import fc from "fast-check";
import { expect, test } from "vitest";
import { commandPolicy, type CommandRules } from "./command-rules.ts";
import type { CommandLine, CommandVerdict } from "./command.ts";
import { disguised, soup } from "./corpus/generated.testing.ts";

const policy = commandPolicy();

function decisions(rules: CommandRules, commands: readonly CommandLine[]): readonly CommandVerdict["decision"][] {
  const given = commandPolicy(rules);
  return commands.map((command) => given.judge(command).decision);
}

/** Those of `commands` that are not decided so. */
function otherThan(
  allowed: readonly string[],
  rules: CommandRules,
  commands: readonly CommandLine[],
): readonly string[] {
  const all = decisions(rules, commands);
  return commands.flatMap((command, index) => {
    const decision = all[index] ?? "";
    return allowed.includes(decision) ? [] : [`${decision}: ${JSON.stringify(command)}`];
  });
}

test("a program with arguments is judged like a line, and nothing in it is shell text", () => {
  const commands = [
    ["git", "log", "--grep", "a; rm b"],
    ["npm", "test"],
    ["echo", "$(rm a)"],
    ["find", ".", "-delete"],
    ["sh", "-c", "git log; rm a"],
    ["env", "LD_PRELOAD=./x", "git", "log"],
    ["/usr/bin/git", "push"],
    ["./git", "log"],
    ["git", "log", "$X"],
    [],
    [""],
    ["git", "log\0"],
  ];
  const expected = ["allow", "allow", "allow", "ask", "ask", "ask", "ask", "unlisted", "allow", "ask", "ask", "ask"];
  expect(decisions({}, commands)).toEqual(expected);
});

test("a rule that allows a prefix lets nothing through behind it", () => {
  const rules = { allow: ["git log *", "cd *"] };
  const chained = ["git log -1; touch PWN", "git log && touch PWN", "cd /tmp && touch PWN", "git log\ntouch PWN"];
  const more = ["git log & touch PWN", "git log | tee PWN", "git log $(touch PWN)", "git log > PWN", "cd $(touch PWN)"];
  expect(otherThan(["unlisted", "ask"], rules, [...chained, ...more])).toEqual([]);
  expect(decisions(rules, ["git log -1", "cd /tmp && git log"])).toEqual(["allow", "allow"]);
});

test("a rule that denies is not dodged by another spelling", () => {
  const spelt = ["git -C . push", "git -c a=b push", "cd . && git push", "FOO=1 git push", "/usr/bin/git push"];
  const more = ["\\git push", "'git' push", "git  push", "git --no-pager push", "git --git-dir=. push", "GIT push"];
  const deny = ["git push *"];
  expect(otherThan(["deny"], { deny }, [...spelt, ...more])).toEqual([]);
  expect(otherThan(["ask"], { deny }, ["git $X", "git {push,}", "$G push", "git pus '"])).toEqual([]);
});

test("a rule that denies reaches through wrappers", () => {
  const deny = ["git add -A*"];
  const wrapped = ["env git add -A", "nohup git add -A", "sudo git add -A", "setsid git add -A", "chronic git add -A"];
  const more = ["sh -c 'git add -A'", 'bash -lc "git add -A"', "git add -vA", "git add . -A", "eval git add -A"];
  expect(otherThan(["deny"], { deny }, [...wrapped, ...more])).toEqual([]);
  expect(otherThan(["deny", "ask"], { deny }, ["flock x git add -A", "parallel git add -A", "git add $X"])).toEqual([]);
  expect(decisions({ deny }, ["git add a"])).toEqual(["unlisted"]);
});

test("where all is allowed, what is to be asked about still is, inside xargs, find, watch and parallel, too", () => {
  const rules = { allow: ["*"], ask: ["rm *"] };
  const inner = ["printf 'a\\n' | xargs rm", "find . -name a -exec rm {} +", "find . -delete", "watch -n1 rm a"];
  expect(otherThan(["ask"], rules, [...inner, "parallel rm ::: a", "git push", "$X", "env LD_PRELOAD=a b"])).toEqual(
    [],
  );
  expect(decisions(rules, ["anything at all", "./x", "find . -name a"])).toEqual(["allow", "allow", "allow"]);
});

test("no ban is built in: the user's rule wins over a default as long as itself", () => {
  expect(decisions({ allow: ["rm build"] }, ["rm build", "rm -rf build", "rm other", "rm build; rm other"])).toEqual([
    "allow",
    "ask",
    "ask",
    "ask",
  ]);
  expect(decisions({ allow: ["curl"] }, ["curl http://localhost"])).toEqual(["allow"]);
  expect(decisions({ allow: ["git push"] }, ["git push origin", "git -c a=b push"])).toEqual(["allow", "ask"]);
});

test("a short rule that allows does not open what a longer one asks about", () => {
  expect(decisions({ allow: ["git"] }, ["git frobnicate", "git push", "git -c a=b frobnicate"])).toEqual([
    "allow",
    "ask",
    "ask",
  ]);
  expect(decisions({ allow: ["git log"] }, ["git log --ext-diff"])).toEqual(["ask"]);
  expect(decisions({ allow: ["git log --ext-diff"] }, ["git log --ext-diff"])).toEqual(["allow"]);
});

test("among the user's rules denying wins, then the longer one, then asking", () => {
  const rules = { deny: ["a b c"], ask: ["a b", "git log", "x"], allow: ["a b c d", "a", "a b e", "x"] };
  expect(decisions(rules, ["a b c d", "a b", "a b e", "a z", "git log", "x"])).toEqual([
    "deny",
    "ask",
    "allow",
    "allow",
    "ask",
    "ask",
  ]);
});

test("a path never inherits what its bare name is allowed", () => {
  expect(otherThan(["unlisted"], { allow: ["mytool"] }, ["./mytool", "/tmp/mytool", "bin/mytool a"])).toEqual([]);
  expect(decisions({ allow: ["mytool", "./run.sh"] }, ["mytool", "./run.sh a"])).toEqual(["allow", "allow"]);
});

test("too much to read is a question", () => {
  const commands = Array.from({ length: 50 }, () => "git log");
  expect(decisions({}, [commands.join(";"), [...commands, "git log"].join(";")])).toEqual(["allow", "ask"]);
  expect(decisions({}, [`echo ${"a".repeat(19_995)}`, `echo ${"a".repeat(19_996)}`])).toEqual(["allow", "ask"]);
  const nested = (depth: number): readonly string[] => (depth === 0 ? ["git", "log"] : ["env", ...nested(depth - 1)]);
  expect(decisions({}, [nested(8), nested(9)])).toEqual(["allow", "ask"]);
});

test("the verdict names the part and the rule that decided", () => {
  const rules = (commands: readonly CommandLine[]): readonly string[] => commands.map((c) => policy.judge(c).rule);
  expect(rules(["cd . && git push", "git log", ["frob", "a"], "echo a > b", "X=1 git log", "git -c a=b log"])).toEqual([
    "`git push` in `cd . && git push`: the rule `git push` (ask)",
    "`git log`: the rule `git log` (allow)",
    "`frob a`: no rule is about it",
    "`> b` in `echo a > b`: it writes a file",
    "`X=1 git log`: no rule knows the variable `X`",
    "`git -c a=b log`: git can run programs by `-c` before its subcommand",
  ]);
});

test("every part is explained, an outer command before those within it", () => {
  expect(policy.explain("env CI=1 sh -c 'git log | rm a' 2>x")).toEqual([
    { text: "env CI=1 sh -c 'git log | rm a' 2>x", decision: "allow", rule: "what it runs decides" },
    { text: "sh -c git log | rm a", decision: "allow", rule: "what it runs decides" },
    { text: "git log", decision: "allow", rule: "the rule `git log` (allow)" },
    { text: "rm a", decision: "ask", rule: "the rule `rm` (ask)" },
    { text: "2>x", decision: "unlisted", rule: "it writes a file" },
  ]);
});

test("only a line of git commands, one of which writes, may write to .git", () => {
  const profiles = (commands: readonly CommandLine[]): readonly string[] =>
    commands.map((command) => policy.judge(command).profile);
  const writing = ["git add . && git commit -m a", ["git", "stash"], "git tag v1; git log", "git reset --hard"];
  const beside = ["git commit -m \"$(cat <<'E'\na\nE\n)\"", "cd a && git add b", "git -C a add b", "CI=1 git commit"];
  const reading = ["git status", "git branch -a", "git log | head", ["git", "diff"], "git branch"];
  const mixed = ["git add . && npm test", "git add . | tee x", "git add . > x", "env git add .", "sh -c 'git add .'"];
  const running = ["git -c a=b commit", "git rebase -x make", "git rebase --ex make", "git push", "git fetch"];
  const other = ["./git add .", "GIT_DIR=x git add .", "git add $(python x)", "git submodule update", "X=1 git add ."];
  expect(profiles([...writing, ...beside])).toEqual([...writing, ...beside].map(() => "git"));
  const plain = [...reading, ...mixed, ...running, ...other];
  expect(profiles(plain)).toEqual(plain.map(() => "plain"));
});

test("judging never throws, whatever it is given", () => {
  const text = fc.oneof(fc.string({ unit: "binary", maxLength: 300 }), soup());
  const command = fc.oneof(text, fc.array(text, { maxLength: 5 }));
  fc.assert(
    fc.property(command, (given) => {
      const { decision } = policy.judge(given);
      expect(["allow", "unlisted", "ask"]).toContain(decision);
      expect(policy.explain(given).length).toBeGreaterThan(0);
    }),
    { numRuns: 2000 },
  );
});

test("what is denied stays denied or asks, however it is spelt, wrapped and embedded", () => {
  const denied = [["git", "push"], ["git", "add", "-A"], ["frob"], ["npm", "run", "deploy"]];
  const strict = commandPolicy({ deny: denied.map((words) => words.join(" ")), allow: ["*"] });
  fc.assert(
    fc.property(fc.constantFrom(...denied).chain(disguised), (text) => {
      expect(["deny", "ask"]).toContain(strict.judge(text).decision);
    }),
    { numRuns: 3000 },
  );
});
