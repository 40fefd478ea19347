/**
 * Secrets of every kind, made up at run time out of pieces: nothing that a scanner of repositories would take for one
 * stands in a file.
 */

import fc from "fast-check";

const dashes = "-----";

/** The lines around a private key. */
export const keyBegin = (kind = ""): string => `${dashes}BEGIN ${kind}PRIVATE KEY${dashes}`;
export const keyEnd = (kind = ""): string => `${dashes}END ${kind}PRIVATE KEY${dashes}`;

/** A kind of secret: what it is called in a placeholder, and a text with one. */
export type Sample = { name: string; secret: fc.Arbitrary<string>; around?: readonly [before: string, after: string] };

/** Each as likely as any other: fast-check would rather try `0000` and `__proto__`, which no machine makes. */
const characters = (set: string, length: number): fc.Arbitrary<string> =>
  fc
    .noBias(fc.array(fc.constantFrom(...set.split("")), { minLength: length, maxLength: length }))
    .map((word) => word.join(""));

const digits = "0123456789";
const hex = `${digits}abcdef`;
const lower = "abcdefghijklmnopqrstuvwxyz";
const upper = lower.toUpperCase();
const word = digits + lower + upper;
const base64url = `${word}-_`;
const base64 = `${word}+/`;
const base32 = `${upper}234567`;

/** Pieces one after the other; a text stands for itself. */
function joined(...pieces: readonly (string | fc.Arbitrary<string>)[]): fc.Arbitrary<string> {
  return fc
    .tuple(...pieces.map((piece) => (typeof piece === "string" ? fc.constant(piece) : piece)))
    .map((parts) => parts.join(""));
}

const claims = fc
  .record({ sub: characters(word, 12), iat: fc.integer({ min: 1_600_000_000, max: 1_900_000_000 }) })
  .map((payload) => Buffer.from(JSON.stringify(payload)).toString("base64url"));
const jwtHeader = Buffer.from(JSON.stringify({ alg: "HS256", typ: "JWT" })).toString("base64url");

export const samples: readonly Sample[] = [
  { name: "aws-key", secret: joined("AK", "IA", characters(base32, 16)) },
  { name: "aws-key", secret: joined("AS", "IA", characters(base32, 16)) },
  { name: "google-key", secret: joined("AI", "za", characters(base64url, 35)) },
  { name: "google-secret", secret: joined("GOC", "SPX-", characters(base64url, 28)) },
  { name: "google-token", secret: joined("ya", "29.", characters(base64url, 120)) },
  {
    name: "azure-key",
    secret: joined(characters(base64, 86), "=="),
    around: ["DefaultEndpointsProtocol=https;AccountName=a;AccountKey=", ";EndpointSuffix=core.windows.net"],
  },
  { name: "azure-secret", secret: joined(characters(word, 3), "8", "Q~", characters(word, 34)) },
  ...["p", "o", "u", "s", "r"].map((kind) => ({
    name: "github-token",
    secret: joined("gh", `${kind}_`, characters(word, 36)),
  })),
  { name: "github-token", secret: joined("github", "_pat_", characters(word, 22), "_", characters(word, 59)) },
  { name: "gitlab-token", secret: joined("gl", "pat-", characters(base64url, 20)) },
  {
    name: "slack-token",
    secret: joined("xo", "xb-", characters(digits, 12), "-", characters(digits, 13), "-", characters(word, 24)),
  },
  {
    name: "slack-token",
    secret: joined("xa", "pp-1-", characters(upper, 11), "-", characters(digits, 13), "-", characters(hex, 64)),
  },
  {
    name: "slack-webhook",
    secret: joined("T", characters(upper, 8), "/B", characters(upper, 8), "/", characters(word, 24)),
    around: [["https://hooks", "slack.com/services/"].join("."), "\n"],
  },
  { name: "stripe-key", secret: joined("sk", "_live_", characters(word, 24)) },
  { name: "stripe-key", secret: joined("rk", "_test_", characters(word, 99)) },
  { name: "anthropic-key", secret: joined("sk-", "ant-api03-", characters(base64url, 93), "AA") },
  {
    name: "api-key",
    secret: joined("sk-", "proj-", characters(base64url, 74), "T3Blbk", "FJ", characters(base64url, 74)),
  },
  { name: "api-key", secret: joined("sk-", characters(word, 20), "T3Blbk", "FJ", characters(word, 20)) },
  { name: "api-key", secret: joined("sk-", "or-v1-", characters(hex, 64)) },
  { name: "npm-token", secret: joined("np", "m_", characters(word, 36)) },
  { name: "pypi-token", secret: joined("py", "pi-AgEIcHlwaS5vcmc", characters(base64url, 120)) },
  { name: "twilio-key", secret: joined("S", "K", characters(hex, 32)) },
  { name: "sendgrid-key", secret: joined("S", "G.", characters(base64url, 22), ".", characters(base64url, 43)) },
  { name: "huggingface-token", secret: joined("h", "f_", characters(lower + upper, 34)) },
  { name: "jwt", secret: joined(jwtHeader, ".", claims, ".", characters(base64url, 43)) },
  {
    name: "url-password",
    secret: characters(word, 12),
    around: ["DATABASE_URL=postgres://app:", "@db.internal:5432/app"],
  },
  { name: "url-password", secret: characters(word, 8), around: ['"redis://:', '@cache:6379/0"'] },
  { name: "bearer-token", secret: characters(base64, 40), around: ["Authorization: Bearer ", ""] },
  {
    name: "netrc-password",
    secret: characters(word, 14),
    around: ["machine api.internal login deploy password ", "\n"],
  },
  {
    name: "npmrc-password",
    secret: joined(characters(base64, 22), "=="),
    around: ["//registry.internal/:_password=", "\n"],
  },
  { name: "value", secret: characters(base64, 40), around: ["AWS_SECRET_ACCESS_KEY=", "\n"] },
  { name: "value", secret: characters(hex, 32), around: ['{"apiKey": "', '"}'] },
  { name: "value", secret: characters(word, 20), around: ["api_token: '", "'"] },
  { name: "value", secret: characters(base64url, 16), around: ["?access_token=", "&page=2"] },
];

/** Texts in which a secret may stand within a line. */
export const inLine: readonly (readonly [before: string, after: string])[] = [
  ["", ""],
  ["line before\n    ", "\nline after"],
  ['const key = "', '";'],
  ["KEY=", "\n"],
  ["- `", "`, of the staging system"],
  ['{"a":1,"b":"', '","c":2}'],
];
