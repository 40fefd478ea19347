import { expect, test } from "vitest";
import { policyFrom, type Rule } from "./rules.ts";

const rules: readonly Rule[] = [
  { name: "everything", globs: ["**"], access: ["read", "list", "write"], decision: "allow" },
  { name: "git", globs: [".git"], access: ["read", "write"], decision: "deny" },
  { name: "ssh", globs: [".ssh"], access: ["read"], decision: "deny" },
  { name: "lock files", globs: ["**/*.lock"], access: ["write"], decision: "ask" },
];

test("the last rule that matches decides, for the access it is about", () => {
  const policy = policyFrom([...rules, { name: "heads", globs: ["**/.git/HEAD"], access: ["read"], decision: "ask" }]);
  expect([
    policy.judge("src/a.ts", "read"),
    policy.judge(".git/config", "read"),
    policy.judge("sub/.git/HEAD", "read"),
    policy.judge("sub/.git/HEAD", "write"),
    policy.judge("x/y.lock", "read"),
    policy.judge("x/y.lock", "write"),
  ]).toEqual([
    { decision: "allow", rule: "everything" },
    { decision: "deny", rule: "git" },
    { decision: "ask", rule: "heads" },
    { decision: "deny", rule: "git" },
    { decision: "allow", rule: "everything" },
    { decision: "ask", rule: "lock files" },
  ]);
});

test("what may not be read may not be listed", () => {
  expect(policyFrom(rules).judge("a/.git", "list")).toEqual({ decision: "deny", rule: "git" });
});

test("where no rule matches the answer is deny", () => {
  const policy = policyFrom([{ name: "source", globs: ["src"], access: ["read"], decision: "allow" }]);
  expect(["src/a", "src", ".", "other"].map((path) => policy.judge(path, "read").decision)).toEqual([
    "allow",
    "allow",
    "deny",
    "deny",
  ]);
  expect(policy.judge("src/a", "write").decision).toBe("deny");
});

test.for([
  ".GIT/config",
  ".Git/hooks/post-checkout",
  ".git./x",
  ".git /x",
  ".git. . /x",
  ".git::$INDEX_ALLOCATION/x",
  ".git:$I30:$INDEX_ALLOCATION/x",
  ".g\u200cit/x",
  "\ufeff.git/x",
  ".gi\u2060t/x",
  "sub/.git/config",
  ".\u017fsh/key",
  ".SSH/key",
])("%j is what a lenient file system makes of it", (path) => {
  expect(policyFrom(rules).judge(path, "read").decision).toBe("deny");
});

test.for([".gitignore", ".github/x", "git/x", ".git2/x", "x.git/x", ".gitx::$DATA"])("%j stays ordinary", (path) => {
  expect(policyFrom(rules).judge(path, "write").decision).toBe("allow");
});

test("rules are compared without regard to Unicode form", () => {
  const policy = policyFrom([{ name: "é", globs: ["caf\u00e9"], access: ["read"], decision: "allow" }]);
  expect(policy.judge("cafe\u0301", "read")).toEqual({ decision: "allow", rule: "é" });
});

test.for(["[a", "out/", ""])("the glob %j makes no rule", (glob) => {
  const make = () => policyFrom([{ name: "bad", globs: [glob], access: ["read"], decision: "deny" }]);
  expect(make).toThrow(expect.objectContaining({ code: "E_BAD_RULE" }));
});

test("a policy shows its rules, so that another enforcer can be derived from them", () => {
  expect(policyFrom(rules).rules).toEqual(rules);
});
