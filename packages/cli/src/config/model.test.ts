import { expect, test } from "vitest";
import { Failure } from "@croft/harness";
import { readEnvironment } from "./environment.ts";
import { chooseModel, type ChosenModel } from "./model.ts";
import type { NamedModel } from "./config.ts";

const key = { ANTHROPIC_API_KEY: "key" };
const none = {};

function choose(
  name: string | undefined,
  variables: NodeJS.ProcessEnv,
  models: Record<string, NamedModel> = {},
): ChosenModel {
  const named = new Map(Object.entries(models).map(([alias, value]) => [alias, { value, from: "here" }]));
  const model = name === undefined ? undefined : { value: name, from: "here" };
  const wanted = { model, models: named, budget: { dollars: undefined } };
  return chooseModel(wanted, readEnvironment({ HOME: "/h", ...variables }));
}

/** The id and where it is served, or what is wrong. */
function choice(...asked: Parameters<typeof choose>): unknown {
  try {
    const { model, service } = choose(...asked);
    return service === undefined ? model.id : [model.id, service.api, service.baseUrl, service.apiKey];
  } catch (error) {
    return error instanceof Failure ? [error.code, error.narration] : error;
  }
}

const offlineNotice =
  "No ANTHROPIC_API_KEY: using the rule-based offline model, which finds definitions, uses and mentions.";

test("without key and server it is offline, and that is said, with what else is set up", () => {
  expect([choice(undefined, none), choose(undefined, none).notice, choose("offline", none).notice]).toEqual([
    "offline",
    `${offlineNotice} More: croft doctor.`,
    undefined,
  ]);
  expect(choose(undefined, { OPENAI_API_KEY: "k" }).notice).toBe(
    `${offlineNotice} For a service that is set up, name a model: --model openai/<model>. More: croft doctor.`,
  );
});

test("with a key or a server it is the default model", () => {
  expect([choice(undefined, key), choice(undefined, { ANTHROPIC_BASE_URL: "http://127.0.0.1:1" })]).toEqual([
    ["anthropic/claude-opus-5-5", "messages", "https://api.anthropic.com", "key"],
    ["anthropic/claude-opus-5-5", "messages", "http://127.0.0.1:1", undefined],
  ]);
});

test.each<[string, NodeJS.ProcessEnv, unknown]>([
  ["offline", key, "offline"],
  ["anthropic/other", key, ["anthropic/other", "messages", "https://api.anthropic.com", "key"]],
  ["openai/m", { OPENAI_API_KEY: "k" }, ["openai/m", "chat-completions", "https://api.openai.com/v1", "k"]],
  ["openai/org/m", { OPENAI_BASE_URL: "http://x/v1" }, ["openai/org/m", "chat-completions", "http://x/v1", undefined]],
  ["ollama/qwen3:8b", none, ["ollama/qwen3:8b", "chat-completions", "http://127.0.0.1:11434/v1", undefined]],
])("a model is taken by its name: %s", (name, variables, expected) => {
  expect(choice(name, variables)).toEqual(expected);
});

test.each([
  ["gpu", "http://gpu:11434/v1"],
  ["gpu:99", "http://gpu:99/v1"],
  [":99", "http://127.0.0.1:99/v1"],
  ["0.0.0.0", "http://127.0.0.1:11434/v1"],
  ["https://gpu.example/api/", "https://gpu.example/api/v1"],
  ["[::1]:99", "http://[::1]:99/v1"],
])("OLLAMA_HOST=%s is %s", (host, url) => {
  expect(choose("ollama/m", { OLLAMA_HOST: host }).service?.baseUrl).toBe(url);
});

test.each([
  ["claude-opus-5-5", "anthropic/claude-opus-5-5"],
  ["antropic/claude-opus-5-5", "anthropic/claude-opus-5-5"],
  ["minne", "mine"],
])("%j asks whether %s is meant", (name, meant) => {
  expect(choice(name, key, { mine: { model: "m", provider: "ollama" } })).toEqual([
    "E_UNKNOWN_MODEL",
    expect.stringContaining(`There is no model "${name}". Did you mean ${meant}? Models: anthropic/<model>`),
  ]);
});

test.each(["foo", "gpt", "openai", "", "__proto__", "constructor/x"])(
  "%j is no model: the answer lists them",
  (name) => {
    expect(choice(name, key, { mine: { model: "m", provider: "ollama" } })).toEqual([
      "E_UNKNOWN_MODEL",
      `There is no model ${JSON.stringify(name)}. Models: anthropic/<model>, openai/<model>, ollama/<model>, mine, offline. ` +
        "The default is anthropic/claude-opus-5-5.",
    ]);
  },
);

test("a service without its key is told before anything is asked", () => {
  const mine = {
    mine: { provider: "x", api: "messages", baseUrl: "http://x", model: "m", apiKeyEnv: "MINE" },
  } as const;
  expect([choice("anthropic/claude-opus-5-5", none), choice("openai/m", key), choice("mine", key, mine)]).toEqual([
    ["E_NO_KEY", "anthropic/claude-opus-5-5 needs a key. Set ANTHROPIC_API_KEY, or use --model offline."],
    ["E_NO_KEY", "openai/m needs a key. Set OPENAI_API_KEY, or use --model offline."],
    ["E_NO_KEY", "mine needs a key. Set MINE, or use --model offline."],
  ]);
});

test("a named model is what its entry says, over what its provider's row says", () => {
  const models: Record<string, NamedModel> = {
    fast: { provider: "anthropic", model: "claude-x" },
    own: {
      api: "chat-completions",
      model: "m",
      baseUrl: "http://own/v1",
      apiKeyEnv: "OWN",
      context: 5000,
      output: 100,
    },
  };
  expect([choice("fast", key, models), choice("own", { OWN: "o" }, models)]).toEqual([
    ["anthropic/claude-x", "messages", "https://api.anthropic.com", "key"],
    ["own/m", "chat-completions", "http://own/v1", "o"],
  ]);
  const { model } = choose("own", { OWN: "o" }, models);
  expect([model.context, model.output]).toEqual([5000, 100]);
});

test("a key goes to no other server than its own, unless the entry names both", () => {
  const elsewhere = { provider: "anthropic", model: "m", baseUrl: "http://elsewhere" };
  expect([
    choice("a", key, { a: elsewhere }),
    choice("b", key, { b: { ...elsewhere, apiKeyEnv: "ANTHROPIC_API_KEY" } }),
  ]).toEqual([
    ["anthropic/m", "messages", "http://elsewhere", undefined],
    ["anthropic/m", "messages", "http://elsewhere", "key"],
  ]);
});

test("a price is the entry's, else the provider's, else the catalogue's", () => {
  const price = { input: 1, cacheRead: 1, cacheWrite: 1.25, output: 2 };
  const free = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 };
  const mine = { mine: { provider: "ollama", model: "m", price } };
  expect([choose("ollama/m", none).price, choose("mine", none, mine).price, choose(undefined, key).price]).toEqual([
    free,
    price,
    undefined,
  ]);
});

test.each(["localhost:8080", "nonsense", "file:///x"])("the server %j is no URL", (url) => {
  expect(choice(undefined, { ANTHROPIC_BASE_URL: url })).toEqual([
    "E_BASE_URL",
    `ANTHROPIC_BASE_URL is no URL: ${url}. Set it to http://… or https://….`,
  ]);
});

test.each(["http://me:s3cret@localhost:8080", "https://s3cret@localhost"])(
  "a password in the address of the server is refused, and not repeated",
  (baseUrl) => {
    expect(choice(undefined, { ANTHROPIC_BASE_URL: baseUrl })).toEqual([
      "E_BASE_URL",
      "ANTHROPIC_BASE_URL holds a user name or a password, which no request can be sent with. " +
        "Take them out of it, and set ANTHROPIC_API_KEY to what the server wants.",
    ]);
  },
);
