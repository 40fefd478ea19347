import { createServer } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { serve } from "../testing/http/serve.ts";
import { probeService, type Reach, type Service } from "./probe.ts";

const never = new AbortController().signal;

test.each<[Service["api"], string, string | undefined]>([
  ["messages", "/v1/models?limit=1000", "sk-1"],
  ["chat-completions", "/models", "Bearer sk-1"],
])("%s: asks for the list of models with the key, and tells the status", async (api, path, key) => {
  const seen: unknown[] = [];
  const server = await serve(
    async ({ method, url, headers }, response) => {
      seen.push([method, url, headers["x-api-key"] ?? headers.authorization]);
      response.writeHead(401).end("no");
    },
    () => {},
  );
  onTestFinished(() => server.close());
  expect(await probeService({ api, baseUrl: `${server.url}/`, apiKey: "sk-1" }, 30_000, never)).toEqual({
    status: 401,
  });
  expect(await probeService({ api, baseUrl: server.url }, 30_000, never)).toEqual({ status: 401 });
  expect(seen).toEqual([
    ["GET", path, key],
    ["GET", path, undefined],
  ]);
});

test.each([
  ['{"data":[{"id":"a"},{"id":"b"}],"has_more":false}', ["a", "b"]],
  ['{"data":[{"id":"a"}],"has_more":true}', undefined],
  ['{"data":[]}', undefined],
  ['{"data":[{"name":"a"}]}', undefined],
  ["[".repeat(10_000), undefined],
  ["<html>", undefined],
  [`{"data":[{"id":"${"a".repeat(1_000_000)}"}]}`, undefined],
])("the models that are listed are told, if it is a whole list", async (text, models) => {
  const server = await serve(
    async (_, response) => void response.writeHead(200).end(text),
    () => {},
  );
  onTestFinished(() => server.close());
  expect(await probeService({ api: "messages", baseUrl: server.url }, 30_000, never)).toEqual({ status: 200, models });
});

test("a list without an end is not read to its end", async () => {
  const server = await serve(
    async (_, response) => {
      const more = (): void => {
        while (!response.destroyed && response.write("[".repeat(100_000)));
      };
      response.writeHead(200).on("drain", more);
      more();
    },
    () => {},
  );
  onTestFinished(() => server.close());
  expect(await probeService({ api: "messages", baseUrl: server.url }, 30_000, never)).toEqual({ status: 200 });
});

test("a redirect is not followed: the key stays here", async () => {
  const seen: (string | undefined)[] = [];
  const server = await serve(
    async ({ url }, response) => {
      seen.push(url);
      response.writeHead(302, { location: "/elsewhere" }).end();
    },
    () => {},
  );
  onTestFinished(() => server.close());
  for (const baseUrl of [server.url, `${server.url}/v1/`]) {
    expect(await probeService({ api: "messages", baseUrl }, 30_000, never)).toEqual({ status: 302 });
  }
  expect(seen).toEqual(["/v1/models?limit=1000", "/v1/models?limit=1000"]);
});

test("nobody there, no answer, a bad key: the reason, never the key", async () => {
  const silent = createServer(() => {});
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void silent.close());
  const address = silent.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const reach = (baseUrl: string, apiKey?: string, ms = 30_000): Promise<Reach> =>
    probeService({ api: "messages", baseUrl, apiKey }, ms, never);
  expect([
    await reach("http://127.0.0.1:9"),
    await reach(`http://127.0.0.1:${port}`, undefined, 200),
    await reach(`http://127.0.0.1:${port}`, "sk\n-secret"),
    await reach("nonsense"),
  ]).toEqual([
    { unreachable: expect.stringMatching(/ECONNREFUSED|bad port/) },
    { unreachable: "no answer within 0.2 s" },
    { unreachable: "the request cannot be sent" },
    { unreachable: expect.any(String) },
  ]);
  silent.closeAllConnections();
});
