import { expect, test } from "vitest";
import { Failure } from "@croft/harness";
import type { Environment } from "./environment.ts";
import { chooseModel } from "./model.ts";

const bare: Environment = {
  apiKey: undefined,
  baseUrl: undefined,
  home: undefined,
  stateHome: undefined,
  configHome: undefined,
  cacheHome: undefined,
  path: undefined,
  noColor: false,
  debug: false,
};
const keyed: Environment = { ...bare, apiKey: "key" };
const served: Environment = { ...bare, baseUrl: "http://127.0.0.1:1" };

function choice(asked: string | undefined, environment: Environment): unknown {
  try {
    const { model, notice } = chooseModel(asked, environment, false);
    return notice === undefined ? model.id : [model.id, notice];
  } catch (error) {
    return error instanceof Failure ? [error.code, error.narration] : error;
  }
}

test("without key and server it is offline, and that is said", () => {
  expect(choice(undefined, bare)).toEqual([
    "offline",
    "No ANTHROPIC_API_KEY: using the rule-based offline model, which finds definitions, uses and mentions.",
  ]);
});

test("with a key or a server it is the default model", () => {
  expect([choice(undefined, keyed), choice(undefined, served)]).toEqual([
    "anthropic/claude-opus-5-5",
    "anthropic/claude-opus-5-5",
  ]);
});

test("a model is taken by its name", () => {
  expect([choice("offline", keyed), choice("anthropic/other", keyed)]).toEqual(["offline", "anthropic/other"]);
});

test.each(["foo", "anthropic/", "anthropic", "claude-opus-5-5", ""])(
  "%j is no model: the answer lists them",
  (name) => {
    expect(choice(name, keyed)).toEqual([
      "E_UNKNOWN_MODEL",
      `There is no model ${JSON.stringify(name)}. Models: anthropic/claude-opus-5-5 (or any anthropic/<model>), offline.`,
    ]);
  },
);

test("a service without a key is told before anything is asked", () => {
  expect(choice("anthropic/claude-opus-5-5", bare)).toEqual([
    "E_NO_KEY",
    "anthropic/claude-opus-5-5 needs a key. Set ANTHROPIC_API_KEY, or use --model offline.",
  ]);
});

test.each(["localhost:8080", "nonsense", "file:///x"])("the server %j is no URL", (baseUrl) => {
  expect(choice(undefined, { ...bare, baseUrl })).toEqual([
    "E_BASE_URL",
    `ANTHROPIC_BASE_URL is no URL: ${baseUrl}. Set it to http://… or https://….`,
  ]);
});

test.each(["http://me:s3cret@localhost:8080", "https://s3cret@localhost"])(
  "a password in the address of the server is refused, and not repeated",
  (baseUrl) => {
    expect(choice(undefined, { ...bare, baseUrl })).toEqual([
      "E_BASE_URL",
      "ANTHROPIC_BASE_URL holds a user name or a password, which no request can be sent with. " +
        "Take them out of it, and set ANTHROPIC_API_KEY to what the server wants.",
    ]);
  },
);
