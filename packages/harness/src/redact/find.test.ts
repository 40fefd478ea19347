import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { growth, linear } from "../../../../test/support/growth.ts";
import { findSecrets } from "./find.ts";
import { inLine, keyBegin, samples } from "./samples.testing.ts";

/** What is found, written as `name: secret`. */
const foundIn = (text: string): string[] =>
  findSecrets(text).map(({ from, to, name }) => `${name}: ${text.slice(from, to)}`);

// One seed: a random key has the word "example" in it once in a hundred million times, and then it is let through.
const draws = { seed: 7, numRuns: 20 };

describe("what is known by its form is found, wherever it stands", () => {
  test.for(samples.map((sample, index) => ({ ...sample, index })))("$index $name", ({ name, secret, around }) => {
    fc.assert(
      fc.property(fc.noShrink(secret), fc.constantFrom(...inLine), (word, [before, after]) => {
        const [inner, outer] = around ?? ["", ""];
        expect(foundIn(`${before}${inner}${word}${outer}${after}`)).toEqual([`${name}: ${word}`]);
      }),
      draws,
    );
  });
});

const random = "q7Vb2LxWm9RtZc4K";

test.for([
  `API_TOKEN=${random}`,
  `export CLIENT_SECRET='${random}'`,
  `  "apiKey": "${random}",`,
  `{\\"access_key\\": \\"${random}\\"}`,
  `client-secret: ${random} # of the staging system`,
  `config["auth_token"] = "${random}"`,
  `:api_key => "${random}"`,
  `private_key := \`${random}\``,
  `Server=db;User Id=app;Password=${random};Timeout=30`,
  `https://api.internal/v1?api_key=${random}&page=2`,
  `<password>${random}</password>`,
  `os.environ.setdefault("DB_PASSWORD", "${random}")`,
  `deploy --db-password ${random} --force`,
  `X-Api-Key: ${random}`,
  `curl -u admin:${random} https://api.internal`,
  `machine api.internal login deploy password ${random}`,
  `Authorization: Token ${random}`,
])("a value is found by the name before it: %s", (text) => {
  expect(findSecrets(text).map(({ from, to }) => text.slice(from, to))).toEqual([random]);
});

test.for(["hunter2!", "Tr0ub4dor&3", "s3cr3t-0f-ours", "Winter2026"])(
  "a password that a person made up: %s",
  (password) => {
    expect(foundIn(`password = "${password}"`)).toEqual([`value: ${password}`]);
  },
);

test.for([
  'password = "changeme"',
  "API_KEY=<your-key>",
  'token: "${GITHUB_TOKEN}"',
  "DB_PASSWORD=$DB_PASSWORD_2",
  'const token = process.env["API_TOKEN_2"];',
  "secret = os.environ['CLIENT_SECRET_1']",
  'apiKey: "your-api-key-here-12345"',
  "token = getToken2FromHeader(request)",
  "return token = SyntaxKind.EndOfFile;",
  "private_key: ed25519.Ed25519PrivateKey,",
  "password: string | undefined;",
  'tokenType: "urn:ietf:params:oauth:token-type:jwt9"',
  'token_url = "https://auth.internal/oauth2/v1/token9"',
  'passwordField: "login-form-password-2"',
  'secretName: "db-credentials-v2-rotated"',
  "max_tokens: 4096000000000000",
  'password: "test1234"',
  'password = "{{ vault_db_password_1 }}"',
  `ghp_${"x".repeat(36)}`,
  ["AKIA", "IOSFODNN7EXAMPLE"].join(""),
  `sk-${"1234567890".repeat(4)}`,
  "postgres://postgres:postgres@localhost/db",
  "https://user:pass@example.com",
  "https://${USER}:${PASSWORD}@host",
  "git@github.com:owner/name.git",
  "http://localhost:3000/@scope/name@1.2.3",
  'class="sk-loading-indicator-for-large-lists"',
  "Basic authentication2",
  `"integrity": "sha512-${"q7Vb2LxWm9RtZc4K".repeat(5)}=="`,
  `checksum = "${"0f3a9c".repeat(10)}"`,
  `github.com/a/b v1.2.3 h1:${"q7Vb2LxWm9RtZc4K".repeat(2)}=`,
  "commit 5f0c2e9b7a6d4c3b2a190807f6e5d4c3b2a19080",
  "id: 3f2b8c1e-5d4a-4e6f-9b7c-0a1b2c3d4e5f",
  `data:image/png;base64,${"iVBORw0KGgoAAAANSUhEUg".repeat(4)}`,
])("no secret: %s", (text) => {
  expect(foundIn(text)).toEqual([]);
});

test("a token behind an escape is found, and the escape is left whole", () => {
  const token = ["gh", "p_", "q7Vb2LxWm9RtZc4KpH6nYd8sJf3gTa5eUw1B"].join("");
  const key = ["AK", "IA", "Q7VB2LXWM5RTZC4K"].join("");
  expect([`"a\\n${token}"`, String.raw`\xE9${token}`, String.raw`a\n${key}`, `?k%3D${key}`].map(foundIn)).toEqual([
    [`github-token: ${token}`],
    [`github-token: ${token}`],
    [`aws-key: ${key}`],
    [`aws-key: ${key}`],
  ]);
  expect(foundIn(String.raw`password="\xE9tR0ub4dor"`)).toEqual([]);
});

test("of those that overlap the first counts, and what stands out of it is found as well", () => {
  const text = `token = "${["sk", "_live_", "q7Vb2LxWm9RtZc4KpH6n"].join("")}"`;
  expect(findSecrets(text)).toEqual([{ from: 9, to: text.length - 1, name: "stripe-key" }]);
});

const pieces =
  `a eyJ eyJ- sk- ghp_ :// ://a: token= token=a0B token="a1 password secret- sig=%3D SG. Q~ xoxb- \\x41`.split(" ");

test.for([...pieces, "curl -u ", "--token ", "login a password ", "\n", keyBegin(), `${keyBegin()}\n`])(
  "a text of nothing but %j takes time in proportion to its length",
  async (piece) => {
    const text = (scale: number): string => piece.repeat(Math.ceil((20_000 * scale) / piece.length));
    expect(await growth((scale) => findSecrets(text(scale)))).toBeLessThan(linear);
  },
);
