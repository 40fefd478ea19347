import { expect, test } from "vitest";
import { readOnlyPolicy } from "./presets.ts";

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
