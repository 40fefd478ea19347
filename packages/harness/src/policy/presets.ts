/** Ready-made policies. Their rules are data: a user's are put behind them, and the last one that matches decides. */

import { rootedAt } from "./rooted.ts";
import { policyFrom, type Rule, type RulePolicy } from "./rules.ts";
import * as files from "./protected.ts";

/** A project's own files. */
const own = ["**"];

/** What is not to be read in a project; later rules win, so an example within `.git` stays out of reach. */
const protections: readonly Rule[] = [
  {
    name: "environment files, which may hold secrets",
    globs: files.environmentFiles,
    access: ["read"],
    decision: "deny",
  },
  { name: "examples of environment files", globs: files.environmentExamples, access: ["read"], decision: "allow" },
  { name: "key files", globs: files.keyFiles, access: ["read"], decision: "deny" },
  { name: "files that may hold credentials", globs: files.credentialFiles, access: ["read"], decision: "deny" },
  { name: "installed packages", globs: files.installedPackages, access: ["read"], decision: "deny" },
];

/** What no rule of a user opens. */
const beyondRules: readonly Rule[] = [
  { name: "git internals", globs: files.gitInternals, access: ["read"], decision: "deny" },
  { name: "everything, since this mode is read-only", globs: own, access: ["write"], decision: "deny" },
];

/**
 * For answering questions: the project's own files may be read, secrets may not, nothing may be written. `rules` are
 * put behind those about files and secrets, so they decide; git internals and writing stay denied whatever they say.
 * `root`: the real path of the project, which may itself be such a place. Throws E_BAD_RULE.
 */
export function readOnlyPolicy(rules: readonly Rule[] = [], root: string = ""): RulePolicy {
  return policyFrom([
    { name: "project files", globs: own, access: ["read"], decision: "allow" },
    ...rootedAt(root, protections),
    ...rules,
    ...rootedAt(root, beyondRules),
  ]);
}

/** What is not to be looked at, or changed, without a question. */
const questions: readonly Rule[] = [
  {
    name: "environment files, which may hold secrets",
    globs: files.environmentFiles,
    access: ["read", "write"],
    decision: "ask",
  },
  {
    name: "examples of environment files",
    globs: files.environmentExamples,
    access: ["read", "write"],
    decision: "allow",
  },
  { name: "key files", globs: files.keyFiles, access: ["read", "write"], decision: "ask" },
  { name: "files that may hold credentials", globs: files.credentialFiles, access: ["read", "write"], decision: "ask" },
  { name: "CI definitions, which run elsewhere", globs: files.ciDefinitions, access: ["write"], decision: "ask" },
  { name: "editor tasks and settings", globs: files.editorTasks, access: ["write"], decision: "ask" },
  { name: "files that other agents obey", globs: files.agentFiles, access: ["write"], decision: "ask" },
  { name: "memory files", globs: files.memoryFiles, access: ["write"], decision: "ask" },
  { name: "settings that make tools run code", globs: files.toolConfigs, access: ["write"], decision: "ask" },
  { name: "installed packages", globs: files.installedPackages, access: ["write"], decision: "ask" },
];

/** What no rule of a user opens to a model that writes. */
const neverWritten: readonly Rule[] = [
  { name: "git internals", globs: files.gitInternals, access: ["read", "write"], decision: "deny" },
  { name: "git submodules", globs: files.gitModules, access: ["write"], decision: "deny" },
  { name: "shell and login files", globs: files.shellFiles, access: ["write"], decision: "deny" },
  { name: "croft's own configuration", globs: files.croftFiles, access: ["write"], decision: "deny" },
];

/**
 * For working on a project: its own files may be read and written, secrets and what acts beyond the project are a
 * question, git internals and croft's own configuration are out of reach. Installed packages may be read, for a
 * program cannot be written without the types of what it uses. Whether an allowed write is put to a person as well is
 * the gate's to say. `rules` decide and `root` counts as in `readOnlyPolicy`. Throws E_BAD_RULE.
 */
export function codePolicy(rules: readonly Rule[] = [], root: string = ""): RulePolicy {
  return policyFrom([
    { name: "project files", globs: own, access: ["read", "write"], decision: "allow" },
    ...rootedAt(root, questions),
    ...rules,
    ...rootedAt(root, neverWritten),
  ]);
}
