/**
 * Secrets that are known by their form, as data. A pattern is tried only on a text with its hint in it, and every
 * repetition is bounded, so no text is slow.
 *
 * A checksum (GitHub's, npm's) is not a reason to let a token pass: a variant of the format that we misread would then
 * be shown, while a made-up token that is hidden costs little.
 */

import { entropy, isMadeUp, isSubstitute } from "./randomness.ts";

export type Format = {
  /** Part of the placeholder: lower case and dashes. */
  name: string;
  /** One of them stands in every text that the pattern finds something in. */
  hints: readonly string[];
  /** What is secret is its group 1 if it has one, else all of it. Never matches a line break. */
  pattern: string;
  /** Whether a person made it up after all. */
  isNone: (word: string) => boolean;
};

/**
 * Where a token may begin: behind no letter or digit, unless these end an escape, as in `"\nAKIA…"`, `\x3D`, `%3D`.
 * Only for prefixes so short that they turn up within other words.
 */
const start = String.raw`(?:(?<![A-Za-z0-9_])|(?<=\\[nrt]|\\x[0-9A-F]{2}|\\u[0-9a-f]{4}|%[0-9A-F]{2}))`;
const end = "(?![A-Za-z0-9_-])";
const gitlab = ["pat", "dt", "rt", "rtr", "cbt", "ptt", "ft", "imt", "agent", "soat", "ffct"].map(
  (kind) => `gl${kind}-`,
);
const base64 = "[A-Za-z0-9+/]{8,400}={0,2}(?![A-Za-z0-9+/=])";

function token(name: string, prefix: string, rest: string, isNone: Format["isNone"] = isMadeUp): Format {
  return pattern(name, [prefix], prefix.replaceAll(".", String.raw`\.`) + rest, isNone);
}

function pattern(name: string, hints: readonly string[], pattern: string, isNone = isMadeUp): Format {
  return { name, hints, pattern, isNone };
}

/** `name:password` in base64. */
function isNoLogin(word: string): boolean {
  const [, password] = /^[ -~]{1,100}:([^]{4,})$/.exec(Buffer.from(word, "base64").toString()) ?? [];
  return password === undefined || isSubstitute(password);
}

/** Numbers in base64, one much like the other: `EAAAUBAAAFUQAABaEA…`. */
function isTable(word: string): boolean {
  return entropy(word) < 4.5;
}

/** Most specific first: where two find the same, the first names it. */
export const formats: readonly Format[] = [
  pattern("aws-key", ["AKIA", "ASIA", "ABIA", "ACCA"], `${start}(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}${end}`),
  token("google-key", "AIza", "[A-Za-z0-9_-]{35}"),
  token("google-secret", "GOCSPX-", "[A-Za-z0-9_-]{28}"),
  token("google-token", "ya29.", "[A-Za-z0-9_-]{20,1000}"),
  token("azure-key", "AccountKey=", "([A-Za-z0-9+/]{86}==)"),
  token("azure-key", "SharedAccessKey=", "([A-Za-z0-9+/]{43}=)"),
  token("azure-signature", "sig=", "([A-Za-z0-9]{1,64}(?:%[0-9A-Fa-f]{2}[A-Za-z0-9]{0,64}){1,8}%3[Dd])"),
  pattern("azure-secret", ["Q~"], `${start}[A-Za-z0-9_~.-]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}`),
  pattern("github-token", ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"], "gh[pousr]_[A-Za-z0-9_.-]{36,1000}"),
  token("github-token", "github_pat_", "[A-Za-z0-9_]{36,255}"),
  pattern("gitlab-token", gitlab, `${start}(?:${gitlab.join("|")})[A-Za-z0-9_.=-]{20,300}`),
  pattern("slack-token", ["xox", "xapp-"], "(?:xox[a-z](?:\\.xox[a-z])?|xapp)-[A-Za-z0-9-]{10,250}"),
  token("slack-webhook", "hooks.slack.com/", "(?:services|workflows|triggers)/([A-Za-z0-9+/_-]{20,100})"),
  token("discord-webhook", "/api/webhooks/", "[0-9]{17,20}/([A-Za-z0-9_-]{60,70})"),
  pattern(
    "stripe-key",
    ["sk_live_", "sk_test_", "rk_live_", "rk_test_"],
    `${start}[sr]k_(?:live|test)_[A-Za-z0-9]{16,250}`,
  ),
  token("stripe-secret", "whsec_", "[A-Za-z0-9+/=]{24,100}"),
  // OpenAI, Anthropic and those who followed them.
  pattern("anthropic-key", ["sk-ant-"], `${start}sk-ant-[A-Za-z0-9_-]{20,250}`),
  pattern("api-key", ["sk-"], `${start}sk-(?:[a-z0-9]{2,8}-){0,2}[A-Za-z0-9_-]{20,250}`),
  token("groq-key", "gsk_", "[A-Za-z0-9]{40,80}"),
  pattern("xai-key", ["xai-"], `${start}xai-[A-Za-z0-9]{60,100}`),
  pattern("perplexity-key", ["pplx-"], `${start}pplx-[A-Za-z0-9]{40,60}`),
  pattern("replicate-key", ["r8_"], `${start}r8_[A-Za-z0-9]{37}${end}`),
  pattern("huggingface-token", ["hf_"], `${start}hf_[A-Za-z0-9]{34,40}${end}`),
  pattern("npm-token", ["npm_"], `${start}npm_[A-Za-z0-9]{36}${end}`),
  token("pypi-token", "pypi-AgE", "[A-Za-z0-9_-]{50,1000}"),
  token("rubygems-key", "rubygems_", "[a-f0-9]{48}"),
  pattern("crates-token", ["cio"], `${start}cio[A-Za-z0-9]{32}${end}`),
  pattern("nuget-key", ["oy2"], `${start}oy2[a-z0-9]{43}${end}`),
  token("docker-token", "dckr_pat_", "[A-Za-z0-9_-]{27,64}"),
  pattern("twilio-key", ["SK"], `${start}SK[0-9a-f]{32}${end}`),
  token("sendgrid-key", "SG.", "[A-Za-z0-9_-]{16,32}\\.[A-Za-z0-9_-]{16,64}"),
  pattern("mailgun-key", ["key-"], `${start}key-[0-9a-f]{32}${end}`),
  pattern("digitalocean-token", ["dop_v1_", "doo_v1_", "dor_v1_"], "do[opr]_v1_[a-f0-9]{64}"),
  pattern("shopify-token", ["shpat_", "shpca_", "shppa_", "shpss_"], `${start}shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}`),
  pattern("databricks-token", ["dapi"], `${start}dapi[0-9a-f]{32}(?:-[0-9])?${end}`),
  pattern("vault-token", ["hvs.", "hvb.", "hvr."], `${start}hv[sbr]\\.[A-Za-z0-9_-]{24,300}`),
  pattern("grafana-token", ["glsa_", "glc_"], `${start}(?:glsa|glc)_[A-Za-z0-9+/=_]{32,400}`),
  pattern("linear-key", ["lin_"], `${start}lin_(?:api|oauth)_[A-Za-z0-9]{32,64}`),
  pattern("notion-token", ["ntn_"], `${start}ntn_[A-Za-z0-9]{40,50}`),
  token("atlassian-token", "ATATT3", "[A-Za-z0-9_=-]{60,250}"),
  pattern("postman-key", ["PMAK-"], "PMAK-[a-f0-9]{24}-[a-f0-9]{34}"),
  pattern("newrelic-key", ["NRAK-"], `${start}NRAK-[A-Z0-9]{27}`),
  token("tailscale-key", "tskey-", "[a-z]{3,12}-[A-Za-z0-9-]{16,80}"),
  pattern("sentry-token", ["sntrys_", "sntryu_"], "sntry[su]_[A-Za-z0-9+/=_]{40,400}"),
  pattern("supabase-token", ["sbp_"], `${start}sbp_[a-f0-9]{40}`),
  token("planetscale-token", "pscale_", "(?:tkn|oauth|pw)_[A-Za-z0-9_.=-]{32,64}"),
  token("doppler-token", "dp.", "(?:pt|st|ct|sa|scim|audit)\\.(?:[a-z0-9_-]{1,40}\\.)?[A-Za-z0-9]{40,44}"),
  pattern("telegram-token", [":AA"], `${start}[0-9]{8,10}:(AA[A-Za-z0-9_-]{33})${end}`),
  pattern("facebook-token", ["EAA"], `${start}EAA[A-Za-z0-9]{80,500}${end}`, isTable),
  token("1password-token", "ops_eyJ", "[A-Za-z0-9+/=_-]{60,2000}"),
  pattern("fly-token", ["fm1a_", "fm1r_", "fm2_"], `${start}fm(?:1[ar]|2)_[A-Za-z0-9+/]{80,2000}={0,3}`),
  token("huggingface-token", "api_org_", "[A-Za-z0-9]{34}"),
  token("age-key", "AGE-SECRET-KEY-1", "[0-9A-Z]{58}"),
  pattern(
    "jwt",
    ["eyJ"],
    `${start}(?<![.-])eyJ[A-Za-z0-9_-]{14,2000}\\.eyJ[A-Za-z0-9_-]{10,6000}\\.[A-Za-z0-9_-]{16,1400}`,
  ),
  // What stands in a place made for secrets.
  token("url-password", "://", `[^\\s:@/"'\`<>{}]{0,100}:([^\\s@/"'\`<>{}]{3,200})@(?=[A-Za-z0-9[$%])`, isSubstitute),
  pattern("bearer-token", ["Bearer ", "bearer "], "[Bb]earer {1,3}([A-Za-z0-9._~+/-]{20,2000}={0,2})", isSubstitute),
  token(
    "auth-token",
    "uthorization",
    `["']?: {0,3}["']?(?:[A-Za-z-]{3,12} {1,3})?((?=[A-Za-z._~-]{0,60}[0-9])[A-Za-z0-9._~-]{16,2000})(?=["'\\s]|$)`,
    isSubstitute,
  ),
  pattern("basic-auth", ["Basic ", "basic "], `[Bb]asic {1,3}(${base64})`, isNoLogin),
  pattern("npmrc-auth", ["_auth"], `(?<![A-Za-z0-9.])_auth[ \\t]{0,3}=[ \\t]{0,3}"?(${base64})`, isNoLogin),
  token("npmrc-password", ":_password", `[ \\t]{0,3}=[ \\t]{0,3}"?(${base64})`),
  token(
    "netrc-password",
    "login",
    "[ \\t]{1,9}[^\\s]{1,100}[ \\t]{1,9}password[ \\t]{1,9}([^\\s\\\\\"'`]{4,200})",
    isSubstitute,
  ),
  token(
    "password",
    "curl ",
    "[^\\n]{0,200}?(?<=\\s)(?:-u|--user)[ =]?[\"']?[^\\s:\"']{1,60}:([^\\s\"'\\\\]{4,200})",
    isSubstitute,
  ),
  pattern(
    "value",
    ["--"],
    `--[a-z-]{0,20}(?:password|passwd|secret|token|api-?key)[ \\t]["']?(?![./])([^\\s"'\\\\;|&<>()$-](?=[^\\s]{0,250}[0-9])[^\\s"'\\\\;|&<>()$]{7,250})`,
    isSubstitute,
  ),
];
