import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readConfig } from "./read.ts";
import { configJsonSchema } from "./schema.ts";

function problems(text: string): string[] {
  const read = readConfig(text);
  return "config" in read ? [] : read.problems.map(({ line, column, message }) => `${line}:${column} ${message}`);
}

test("every setting is read, and what a price leaves out is what it is at the dearest", () => {
  const text = `{
    "$schema": "config.schema.json",
    "model": "mine",
    "models": { "mine": {
      "api": "chat-completions", "baseUrl": "http://127.0.0.1:8080/v1", "model": "qwen", "apiKeyEnv": "MINE",
      "context": 32000, "output": 4000, "price": { "input": 1, "output": 2, "cacheRead": 0.1 },
      "capabilities": { "images": true },
    } },
    "budget": { "turns": 5, "tokens": 1000, "dollars": 0.5, "seconds": 1.5 },
    "policy": { "allow": [".env.local"], "deny": ["secret/**", "[a-z].txt"] },
    "trace": "~/traces",
  }`;
  expect(readConfig(text)).toMatchObject({
    config: {
      model: "mine",
      models: { mine: { price: { input: 1, output: 2, cacheRead: 0.1, cacheWrite: 1.25 } } },
      budget: { turns: 5, tokens: 1000, dollars: 0.5, seconds: 1.5 },
      policy: { allow: [".env.local"], deny: ["secret/**", "[a-z].txt"] },
      trace: "~/traces",
    },
  });
});

test.each([
  ['{"modle": "x"}', ['1:2 There is no setting "modle".']],
  ['{"budget": {"turn": 1}}', ['1:13 There is no setting "turn" in budget.']],
  ['{"__proto__": {"model": "x"}}', ['1:2 There is no setting "__proto__".']],
  ['{"model": 3}', ["1:11 model must be a string."]],
  ['{"model": ""}', ["1:11 model must not be empty."]],
  ["[]", ["1:1 The file must be an object."]],
  ["null", ["1:1 The file must be an object."]],
  [
    '{"budget": 3, "policy": [], "models": 1}',
    ["1:12 budget must be an object.", "1:25 policy must be an object.", "1:39 models must be an object."],
  ],
  [
    '{"budget": {"turns": 0, "tokens": 1.5, "dollars": -1, "seconds": "9"}}',
    [
      "1:22 budget.turns must be 1 or more.",
      "1:35 budget.tokens must be a whole number.",
      "1:51 budget.dollars must be 0 or more.",
      "1:66 budget.seconds must be a number.",
    ],
  ],
  ['{"policy": {"deny": "x"}}', ["1:21 policy.deny must be a list of globs."]],
  [
    '{"policy": {"deny": [7, "bash(", "[", "!a", "a/", "../a", "~/a"]}}',
    [
      "1:22 policy.deny.0 must be a string.",
      "1:34 policy.deny.2 is no glob: close every [, end in neither a slash nor a backslash.",
      "1:39 policy.deny.3 begins with !, which is not known here: use policy.allow.",
      "1:45 policy.deny.4 is no glob: close every [, end in neither a slash nor a backslash.",
      "1:51 policy.deny.5 matches nothing: write it relative to the project.",
      "1:59 policy.deny.6 matches nothing: write it relative to the project.",
    ],
  ],
  [
    `{"policy": {"deny": [${Array.from({ length: 501 }, () => '"x"').join()}]}}`,
    ["1:21 policy.deny must not hold more than 500 globs."],
  ],
  ['{"trace": "traces"}', ["1:11 trace must be true, false or a folder that begins with / or ~/."]],
  [
    '{"models": {"a b": {"model": "m", "provider": "ollama"}}}',
    ["1:13 models.a b is no name for a model: use letters, digits, dots, dashes and underscores."],
  ],
  ['{"models": {"offline": {"model": "m", "provider": "ollama"}}}', ["1:13 models.offline is a name that is taken."]],
  [
    '{"models": {"a": {"model": "m"}}}',
    ["1:18 models.a needs a provider (anthropic, openai, ollama), or both api and baseUrl."],
  ],
  [
    '{"models": {"a": {"provider": "openai", "api": "messages", "model": "m"}}}',
    ["1:48 models.a.api must be chat-completions at openai."],
  ],
  [
    '{"models": {"a": {"provider": "openai", "model": "m", "capabilities": {"betas": true}}}}',
    ["1:81 models.a.capabilities.betas means nothing to chat-completions."],
  ],
  [
    '{"models": {"a": {"provider": "openai", "model": "m", "baseUrl": "http://me:pw@x"}}}',
    ["1:66 models.a.baseUrl must be a URL with http:// or https://, without a user, a password or a query."],
  ],
])("%s is told with its place", (text, expected) => {
  expect(problems(text)).toEqual(expected);
});

test("a key in place of its variable is told without being repeated", () => {
  const told = problems('{"models": {"a": {"provider": "openai", "model": "m", "apiKeyEnv": "sk-ant-4711"}}}');
  expect(told).toEqual(["1:68 models.a.apiKeyEnv must be the name of an environment variable, not the key itself."]);
});

test("the schema that is published is the one that is used", () => {
  const published = join(import.meta.dirname, "../../config.schema.json");
  expect(JSON.parse(readFileSync(published, "utf8"))).toEqual(JSON.parse(JSON.stringify(configJsonSchema())));
});
