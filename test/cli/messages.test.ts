import { expect, test } from "vitest";
import type { Event, Usage } from "@croft/harness";
import { call, say, think } from "@croft/harness/testing";
import { croft, makeWorld } from "./croft.ts";
import { key, serve } from "./server.ts";

const files = {
  "src/run.ts": "export function run(): number {\n  return 1;\n}\n",
  "src/main.ts": 'import { run } from "./run.ts";\n\nrun();\n',
};

test("a question with the default model: tools, an answer that is verified, and most of the prompt from the cache", async () => {
  const server = await serve([
    [think("Look for it."), call("search", { pattern: "\\brun\\b" }, "t1")],
    [call("read_file", { path: "src/run.ts" }, "t2"), call("read_file", { path: "src/main.ts" }, "t3")],
    say("`run` is defined at src/run.ts:1 and called at src/main.ts:3."),
  ]);
  const world = makeWorld(files);
  const env = { ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: server.url };
  const { code, out, err } = await croft(world, ["ask", "--json", "Where is run defined, and who calls it?"], { env });
  const events = out
    .trimEnd()
    .split("\n")
    .map((line): Event => JSON.parse(line));

  expect([code, err, server.rejections]).toEqual([0, "", []]);
  expect(server.requests.map(({ body }) => body.model)).toEqual(Array.from({ length: 3 }, () => "claude-opus-5-5"));
  expect(events.flatMap((event) => (event.type === "citation" ? [`${event.state} ${event.ref}`] : []))).toEqual([
    "verified src/run.ts:1",
    "verified src/main.ts:3",
  ]);
  const [first, ...later] = events.flatMap((event): Usage[] => (event.type === "step" ? [event.usage] : []));
  expect(first?.cacheRead).toBe(0);
  for (const { input, cacheRead, cacheWrite } of later) expect(cacheRead).toBeGreaterThan(input + cacheWrite);
  expect(events.at(-1)).toMatchObject({ type: "stop", status: "done", steps: 3 });
});
