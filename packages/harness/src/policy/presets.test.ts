import { expect, test } from "vitest";
import { codePolicy, readOnlyPolicy } from "./presets.ts";

const readable = [
  ".",
  "src/index.ts",
  ".gitignore",
  ".github/workflows/ci.yml",
  ".env.example",
  "app/.env.sample",
  ".ENV.Template",
  ".env.local.example",
  "docs/example.env",
  "environment.ts",
  "src/keys.ts",
  "monkey.ts",
  "src/credentials/index.ts",
  "src/secrets.ts",
  "node_modules.md",
];
const protectedPaths = [
  ".git",
  ".git/config",
  "sub/.git/HEAD",
  "GIT~1/config",
  "node_modules/x/index.js",
  "packages/a/node_modules/x/.env.example",
  ".env",
  ".env.local",
  ".envrc",
  "a/b/.ENV",
  ".env.example.local",
  "deploy/prod.env",
  "server.pem",
  "certs/Server.KEY",
  "a.p12",
  "a.pfx",
  "id_rsa",
  "backup/id_rsa.old",
  "id_ed25519",
  ".npmrc",
  ".netrc",
  ".pypirc",
  "worker/.dev.vars",
  ".vault_pass.txt",
  ".terraformrc",
  "kubeconfig",
  "rclone.conf",
  ".ssh/config",
  ".aws/credentials",
  "home/.docker/config.json",
  "home/.config/gcloud/x",
  "terraform.tfstate.backup",
  ".git/.env.example",
];

test("a project can be read, its secrets, its git internals and its installed packages cannot", () => {
  const policy = readOnlyPolicy();
  const allowed = [...readable, ...protectedPaths].filter((path) => policy.judge(path, "read").decision === "allow");
  expect(allowed).toEqual(readable);
});

test("what may be read may be listed, and nothing else", () => {
  const policy = readOnlyPolicy();
  const listed = [...readable, ...protectedPaths].filter((path) => policy.judge(path, "list").decision === "allow");
  expect(listed).toEqual(readable);
});

test("nothing may be written", () => {
  const policy = readOnlyPolicy();
  const decisions = [...readable, ...protectedPaths].map((path) => policy.judge(path, "write").decision);
  expect(new Set(decisions)).toEqual(new Set(["deny"]));
});

test("the rules of a user come behind, but open neither git internals nor writing", () => {
  const everything = { name: "mine", globs: ["**"], access: ["read", "write"], decision: "allow" } as const;
  const secret = { name: "ours", globs: ["src/secret"], access: ["read"], decision: "deny" } as const;
  const policy = readOnlyPolicy([everything, secret]);
  const asked = [".env", "node_modules/x", "src/secret/a.ts", ".git/config", "GIT~1/config"];
  expect(asked.map((path) => policy.judge(path, "read").decision)).toEqual(["allow", "allow", "deny", "deny", "deny"]);
  expect(["a.ts", ".git/hooks/x"].map((path) => policy.judge(path, "write").decision)).toEqual(["deny", "deny"]);
});

test("a model that writes may read the project and its packages, is a question away from secrets, and never sees git", () => {
  const policy = codePolicy();
  const packages = ["node_modules/x/index.js", "packages/a/node_modules/x/.env.example"];
  const hidden = protectedPaths.filter((path) => /git(?:~1)?(?:\/|$)/i.test(path.split("/.env")[0] ?? ""));
  const judged = (path: string): string => policy.judge(path, "read").decision;
  expect([...readable, ...packages].filter((path) => judged(path) !== "allow")).toEqual([]);
  expect(hidden).toEqual([".git", ".git/config", "sub/.git/HEAD", "GIT~1/config", ".git/.env.example"]);
  expect(hidden.filter((path) => judged(path) !== "deny")).toEqual([]);
  const secrets = protectedPaths.filter((path) => !hidden.includes(path) && !packages.includes(path));
  expect(secrets.filter((path) => judged(path) !== "ask")).toEqual([]);
});

const writable = ["src/index.ts", ".gitignore", ".github/FUNDING.yml", "docs/agents.txt", ".env.example", "Makefile"];
const writtenAsked = [
  ".env",
  "deploy/server.pem",
  ".github/workflows/ci.yml",
  ".GitHub/Workflows/new/x.yml",
  "sub/.github/actions/a/action.yml",
  "CODEOWNERS",
  ".gitlab-ci.yml",
  "Jenkinsfile",
  ".circleci/config.yml",
  "azure-pipelines.release.yml",
  ".pre-commit-config.yaml",
  "docker/Dockerfile",
  "compose.yaml",
  ".vscode/tasks.json",
  ".VSCode/settings.json",
  ".idea/workspace.xml",
  ".devcontainer/devcontainer.json",
  "a.code-workspace",
  ".claude/settings.json",
  ".Claude/commands/x.md",
  ".cursor/rules/a.mdc",
  ".codex/config.toml",
  ".gemini/settings.json",
  ".mcp.json",
  ".aider.conf.yml",
  ".github/copilot-instructions.md",
  "AGENTS.md",
  "packages/a/AGENTS.md",
  "docs/Claude.md",
  ".npmrc",
  ".yarnrc.yml",
  ".pnpmfile.cjs",
  ".envrc",
  ".husky/pre-commit",
  ".gitattributes",
  ".cargo/config.toml",
  "node_modules/x/index.js",
];
const neverWritten = [
  ".git",
  ".git/config",
  ".git/hooks/pre-commit",
  "vendor/x/.git/hooks/post-checkout",
  ".GIT/config",
  ".git./config",
  ".git::$INDEX_ALLOCATION/config",
  ".g\u200cit/config",
  "GIT~1/config",
  ".gitmodules",
  ".bashrc",
  "home/.zshrc",
  ".profile",
  ".Bash_Profile",
  ".ssh/authorized_keys",
  ".croft",
  ".croft/config.jsonc",
  ".CROFT/config.jsonc",
  "dotfiles/.config/croft/config.jsonc",
];

test("what may be written is told apart from what is a question, and from what never is, in any spelling", () => {
  const policy = codePolicy();
  const decisions = (paths: readonly string[]): unknown =>
    paths.map((path) => [path, policy.judge(path, "write").decision]);
  expect(decisions(writable)).toEqual(writable.map((path) => [path, "allow"]));
  expect(decisions(writtenAsked)).toEqual(writtenAsked.map((path) => [path, "ask"]));
  expect(decisions(neverWritten)).toEqual(neverWritten.map((path) => [path, "deny"]));
});

test("no rule of a user opens git internals or croft's own configuration to writing", () => {
  const everything = { name: "mine", globs: ["**"], access: ["read", "write"], decision: "allow" } as const;
  const secret = { name: "ours", globs: ["src/secret"], access: ["read", "write"], decision: "deny" } as const;
  const policy = codePolicy([everything, secret]);
  const paths = [".env", "src/secret/a.ts", ...neverWritten];
  expect(paths.map((path) => policy.judge(path, "write").decision)).toEqual([
    "allow",
    "deny",
    ...neverWritten.map(() => "deny"),
  ]);
  expect([".env", "src/secret/a.ts", ".git/config"].map((path) => policy.judge(path, "read").decision)).toEqual([
    "allow",
    "deny",
    "deny",
  ]);
});

test.each([
  ["/home/ann/.config", "croft/config.jsonc", "deny"],
  ["/home/ann/.CONFIG", "Croft/config.jsonc", "deny"],
  ["/home/ann/.config", "fish/config.fish", "deny"],
  ["/home/ann/.config", "git/config", "deny"],
  ["/home/ann/.local", "state/croft/trusted.json", "deny"],
  ["/home/ann/.local/state", "croft/undo/x", "deny"],
  ["/home/ann/.config", "gh/hosts.yml", "ask"],
  ["/srv/app/.github", "workflows/ci.yml", "ask"],
  ["/home/ann/.config", "sub/croft/config.jsonc", "allow"],
  ["/home/ann/config", "croft/config.jsonc", "allow"],
  ["/home/ann/.local/share", "croft/x", "allow"],
  ["/home/ann/.config/nvim", "croft/x", "allow"],
])("what is protected is so below a root that lies in it: in %s, %s", (root, path, decision) => {
  expect(codePolicy([], root).judge(path, "write").decision).toBe(decision);
});

test("no rule of a user opens what the root makes croft's own", () => {
  const rules = [{ name: "mine", globs: ["**"], access: ["write", "read"], decision: "allow" }] as const;
  expect(codePolicy(rules, "/home/ann/.config").judge("croft/config.jsonc", "write").decision).toBe("deny");
  expect(readOnlyPolicy([], "/home/ann/.config").judge("gh/hosts.yml", "read").decision).toBe("deny");
});
