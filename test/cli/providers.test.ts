import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { connect } from "node:net";
import { dirname, join } from "node:path";
import { call, chatHttpError, chatReply, say } from "@croft/harness/testing";
import { describe, expect, onTestFinished, test } from "vitest";
import { croft, eventsOf, makeWorld, type World } from "./croft.ts";
import { key, serve, serveChat } from "./server.ts";

const files = { "a.ts": "export const name = 1;\n" };

function settings(world: World, text: string): void {
  const file = join(world.home, ".config/croft/config.jsonc");
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

test("openai/<model> is asked at OPENAI_BASE_URL, tools and citations and all", async () => {
  const { url, requests, rejections } = await serveChat([
    call("search", { pattern: "name" }),
    say("`name` is at a.ts:1."),
  ]);
  const env = { OPENAI_API_KEY: key, OPENAI_BASE_URL: url };
  const { code, out, err } = await croft(makeWorld(files), ["ask", "--model", "openai/test", "Where is name?"], {
    env,
  });
  expect([code, out, requests.length, rejections]).toEqual([0, "`name` is at a.ts:1.\n", 2, []]);
  expect(err).toMatch(/^openai\/test in [^]*1 of 1 citation verified\ndone: 2 steps, .* cost unknown/);
});

test("a base URL may end in /v1 or not, and a key in a line break", async () => {
  const world = makeWorld();
  const { url, rejections } = await serve(() => say("Yes."));
  for (const end of ["", "/", "/v1", "/v1/"]) {
    const env = { ANTHROPIC_API_KEY: `${key}\n`, ANTHROPIC_BASE_URL: url + end };
    expect(await croft(world, ["ask", "What?"], { env })).toMatchObject({ code: 0, out: "Yes.\n" });
  }
  expect(rejections).toEqual([]);

  const chat = await serveChat(() => say("Yes."));
  const asked = (base: string) =>
    croft(world, ["ask", "--model", "openai/test", "What?"], {
      env: { OPENAI_API_KEY: `${key}\n`, OPENAI_BASE_URL: base },
    });
  for (const end of ["", "/"]) expect(await asked(chat.url + end)).toMatchObject({ code: 0, out: "Yes.\n" });
  // Some servers have no /v1, so it is not made up; what is missing is said.
  const { code, err } = await asked(chat.url.replace(/\/v1$/, ""));
  expect([code, err]).toEqual([1, expect.stringContaining("most servers want it to end in `/v1`")]);
});

describe("behind a proxy", () => {
  /** A proxy that leads every name to one server, and the names it was asked for. */
  async function startProxy(target: string): Promise<{ url: string; asked: string[] }> {
    const asked: string[] = [];
    const proxy = createServer();
    proxy.on("connect", (request, socket, head) => {
      asked.push(request.url ?? "");
      const { hostname, port } = new URL(target);
      const server = connect(Number(port), hostname, () => {
        socket.write("HTTP/1.1 200 OK\r\n\r\n");
        server.write(head);
        server.pipe(socket).on("error", () => server.destroy());
        socket.pipe(server).on("error", () => socket.destroy());
      });
    });
    proxy.listen(0, "127.0.0.1");
    await once(proxy, "listening");
    onTestFinished(() => void proxy.close());
    const address = proxy.address();
    if (typeof address !== "object" || address === null) throw new Error("It does not listen.");
    return { url: `http://127.0.0.1:${address.port}`, asked };
  }

  test.each(["HTTP_PROXY", "http_proxy", "ALL_PROXY"])("%s is used, but not for this machine", async (name) => {
    const { url, requests } = await serveChat(() => say("Yes."));
    const proxy = await startProxy(url);
    const env = { OPENAI_API_KEY: key, [name]: proxy.url, ...(name === "http_proxy" && { HTTP_PROXY: "" }) };
    const ask = async (base: string) =>
      croft(makeWorld(), ["ask", "--model", "openai/test", "What?"], { env: { ...env, OPENAI_BASE_URL: base } });
    expect(await ask("http://model.example/v1")).toMatchObject({ code: 0, out: "Yes.\n" });
    expect(await ask(url)).toMatchObject({ code: 0, out: "Yes.\n" });
    expect(await ask(url.replace("127.0.0.1", "0.0.0.0"))).toMatchObject({ code: 0, out: "Yes.\n" });
    expect([proxy.asked, requests.length]).toEqual([["model.example:80"], 3]);
  });

  test("what is no HTTP proxy is told, without what stands in it", async () => {
    const { url } = await serveChat(() => say("Yes."));
    const env = { OPENAI_API_KEY: key, OPENAI_BASE_URL: url, HTTPS_PROXY: "socks5://me:secret@127.0.0.1:1" };
    const { code, err } = await croft(makeWorld(), ["ask", "--model", "openai/test", "What?"], { env });
    expect([code, err.split("\n")[0]]).toEqual([0, "croft: HTTPS_PROXY is no URL of an HTTP proxy, and is not used."]);
    expect(err).not.toContain("secret");
  });
});

test("ollama/<model> is asked at OLLAMA_HOST without a key, and costs nothing under a ceiling", async () => {
  const { url, requests } = await serveChat([say("Yes.")], { apiKey: null });
  const env = { OLLAMA_HOST: url.replace(/^http:\/\/|\/v1$/g, ""), OPENAI_API_KEY: key };
  const args = ["ask", "--model", "ollama/test", "--max-dollars", "0", "What is this?"];
  const { code, out, err } = await croft(makeWorld(), args, { env });
  expect([code, out, requests[0]?.headers.authorization]).toEqual([0, "Yes.\n", undefined]);
  expect(err).toContain("$0.0000");
});

test.each([
  ["E_AUTH", 401],
  ["E_RATE_LIMIT", 429],
  ["E_SERVER", 500],
])(
  "a chat server that fails for ever (%s) is an error, in text and in JSON, and its words are no answer",
  async (code, status) => {
    const { url } = await serveChat(() => chatHttpError(status, `no ${key}`, { code: undefined }));
    const env = { OPENAI_API_KEY: key, OPENAI_BASE_URL: url };
    const args = ["ask", "--model", "openai/test", "What is this?"];
    const [plain, json] = await Promise.all([
      croft(makeWorld(), args, { env }),
      croft(makeWorld(), [...args, "--json"], { env }),
    ]);
    expect([plain.code, plain.out]).toEqual([1, ""]);
    expect(plain.err).toMatch(new RegExp(`^croft: .* \\(${code}\\)$`, "m"));
    expect(`${plain.err}${json.out}`).not.toContain(key);
    expect(json.code).toBe(1);
    expect(eventsOf(json.out).at(-1)).toMatchObject({ type: "stop", status: "error", answer: "", failure: { code } });
  },
  120_000,
);

test("a model of the user's own is asked by its name, with its key, its limits and its price", async () => {
  const { url, requests } = await serveChat([
    chatReply(say("Yes."), { usage: { prompt: 1000, cached: 0, completion: 500 } }),
  ]);
  const world = makeWorld();
  settings(
    world,
    `{ "model": "mine", "models": { "mine": {
    "provider": "house", "api": "chat-completions", "baseUrl": "${url}", "model": "test", "apiKeyEnv": "HOUSE_KEY",
    "output": 700, "price": { "input": 1000, "output": 2000 }
  } } }`,
  );
  const { code, out, err } = await croft(world, ["ask", "What is this?"], { env: { HOUSE_KEY: key } });
  expect([code, out, requests[0]?.body.max_tokens]).toEqual([0, "Yes.\n", 700]);
  expect(err).toMatch(/^house\/test in [^]*\$2\.00,/);
});

test("a model of the user's own may speak the Messages API", async () => {
  const { url, requests } = await serve([say("Yes.")]);
  const world = makeWorld();
  settings(
    world,
    `{ "models": { "m": { "api": "messages", "baseUrl": "${url}", "model": "claude-opus-5-5", "apiKeyEnv": "K" } } }`,
  );
  const { code, err } = await croft(world, ["ask", "--model", "m", "What is this?"], { env: { K: key } });
  expect([code, requests.length]).toEqual([0, 1]);
  expect(err).toMatch(/^m\/claude-opus-5-5 in /);
});
