/** Ready-made rules. They are data: a preset or a user's config puts its own behind them, and the last one decides. */

import { policyFrom, type Rule, type RulePolicy } from "./rules.ts";

const environmentFiles = [".env*", "*.env"];
const environmentExamples = ["example", "sample", "template"].flatMap((word) => [
  `.env.${word}`,
  `.env.*.${word}`,
  `${word}.env`,
]);

const keyFiles = globs`
  *.pem *.key *.p8 *.p12 *.pfx *.ppk *.jks *.keystore *.kdbx
  id_rsa* id_dsa* id_ecdsa* id_ed25519*`;

const credentialFiles = globs`
  .npmrc .pypirc .netrc _netrc .git-credentials .htpasswd .pgpass .my.cnf .vault-token .dockercfg .boto .s3cfg .*_history
  .yarnrc.yml auth.json wp-config.php *.tfvars *.tfvars.json
  .dev.vars .vault_pass* .terraformrc terraform.rc kubeconfig .kubeconfig rclone.conf
  .ssh .gnupg .aws .azure .kube **/.config/gcloud **/.config/gh
  **/.docker/config.json **/.cargo/credentials* **/.m2/settings*.xml
  credentials.json client_secret*.json service-account*.json serviceAccountKey*.json
  secrets.json secrets.yml secrets.yaml secrets.toml *.tfstate *.tfstate.*`;

/** What is not to be read in a project; later rules win, so an example within `.git` stays out of reach. */
const protections: readonly Rule[] = [
  { name: "environment files, which may hold secrets", globs: environmentFiles, access: ["read"], decision: "deny" },
  { name: "examples of environment files", globs: environmentExamples, access: ["read"], decision: "allow" },
  { name: "key files", globs: keyFiles, access: ["read"], decision: "deny" },
  { name: "files that may hold credentials", globs: credentialFiles, access: ["read"], decision: "deny" },
  { name: "installed packages", globs: ["node_modules"], access: ["read"], decision: "deny" },
];

/** What no rule of a user opens. */
const beyondRules: readonly Rule[] = [
  { name: "git internals", globs: [".git", "git~1"], access: ["read"], decision: "deny" },
  { name: "everything, since this mode is read-only", globs: ["**"], access: ["write"], decision: "deny" },
];

/**
 * For answering questions: the project's own files may be read, secrets may not, nothing may be written. `rules` are
 * put behind those about files and secrets, so they decide; git internals and writing stay denied whatever they say.
 * Throws E_BAD_RULE.
 */
export function readOnlyPolicy(rules: readonly Rule[] = []): RulePolicy {
  return policyFrom([
    { name: "project files", globs: ["**"], access: ["read"], decision: "allow" },
    ...protections,
    ...rules,
    ...beyondRules,
  ]);
}

/** A list written as words. */
function globs(words: TemplateStringsArray): string[] {
  return words.join("").trim().split(/\s+/u);
}
