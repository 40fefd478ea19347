import { spawn } from "node:child_process";
import { chmodSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bin, croft, eventsOf, makeWorld, start, until, type World } from "./croft.ts";
import { html, httpError, reply, say } from "@croft/harness/testing";
import { key, serve } from "./server.ts";

const silence = [reply(say("Never said."), { delayMs: 600_000 })];
const question = ["ask", "What is this?"];

const to = (url: string): Record<string, string> => ({ ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: url });

/**
 * The whole line of `sh`, with croft as `"$0" "$1"`; its own exit code on file descriptor 3 would be lost in a pipe.
 */
function shell(
  world: World,
  line: string,
  env: Record<string, string> = {},
): Promise<{ code: number | null; out: string }> {
  const { promise, resolve } = Promise.withResolvers<{ code: number | null; out: string }>();
  const child = spawn("bash", ["-c", line, process.execPath, bin], {
    cwd: world.project,
    env: { PATH: process.env["PATH"], HOME: world.home, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let out = "";
  child.stdout.setEncoding("utf8").on("data", (chunk) => (out += chunk));
  child.stderr.setEncoding("utf8").on("data", (chunk) => (out += chunk));
  child.on("close", (code) => resolve({ code, out }));
  return promise;
}

test("the answer alone goes to stdout, escaped; the rest to stderr without escape codes", async () => {
  const { url } = await serve([
    reply(say("It is \u001b[31mred\u009b and\u202e\n\ta project."), {
      usage: { input: 1200, cacheWrite: 0, output: 34 },
    }),
  ]);
  const world = makeWorld();
  const { code, out, err } = await croft(world, question, { env: to(url) });
  expect([code, out]).toEqual([0, "It is \\x1b[31mred\\x9b and\\u{202e}\n\ta project.\n"]);
  expect(err).toMatch(
    /^anthropic\/claude-opus-5-5 in .*\/project\ndone: 1 step, 1,234 tokens \(input 1,200, cache read 0, cache write 0, output 34\), \$0\.0055, trace .*\.jsonl\n$/,
  );
});

test("JSON output is the events alone, the first before the model has answered, the stop event last", async () => {
  const { url } = await serve([reply(say("Yes\u009b."), { delayMs: 500 })]);
  const running = start(makeWorld(), [...question, "--json"], { env: to(url) });
  await until(() => running.out().includes("\n"));
  expect(eventsOf(running.out()).map(({ type }) => type)).not.toContain("stop");
  const { code, out, err } = await running.ended;
  expect([code, err]).toEqual([0, ""]);
  expect(out).not.toContain("\u009b");
  expect(eventsOf(out).at(-1)).toMatchObject({ type: "stop", status: "done", answer: "Yes\u009b.", steps: 1 });
});

test("the trace is this user's alone and holds the events, its place said in the start event", async () => {
  const { url } = await serve([say("Yes.")]);
  const world = makeWorld();
  const { out } = await croft(world, [...question, "--json"], { env: to(url) });
  const events = eventsOf(out);
  const trace = String(events[0]?.["trace"]);
  expect(trace).toMatch(new RegExp(`^${world.home}/\\.local/state/croft/traces/\\d{8}T\\d{6}Z-[0-9a-f]{6}\\.jsonl$`));
  expect([statSync(trace).mode & 0o777, statSync(join(trace, "..")).mode & 0o777]).toEqual([0o600, 0o700]);
  const logged = eventsOf(readFileSync(trace, "utf8"));
  expect(logged).toEqual(
    events
      .filter(({ type }) => type !== "delta")
      .map((event) => ({
        ...event,
        ms: expect.any(Number),
        sum: expect.any(String),
        ...(event.type === "start" && { format: 1 }),
      })),
  );
});

test("--trace names the file", async () => {
  const { url } = await serve([say("Yes.")]);
  const world = makeWorld();
  const { err } = await croft(world, [...question, "--trace", "../t.jsonl"], { env: to(url) });
  expect(err).toContain(`trace ${join(world.base, "t.jsonl")}\n`);
  expect(eventsOf(readFileSync(join(world.base, "t.jsonl"), "utf8")).at(-1)).toMatchObject({ type: "stop" });
});

/**
 * The run failed with this code: exit 1, its words on stderr, nothing passed off as an answer, neither plain nor in
 * JSON.
 */
async function failsWith(code: string, url: string): Promise<void> {
  const [plain, json] = await Promise.all([
    croft(makeWorld(), question, { env: to(url) }),
    croft(makeWorld(), [...question, "--json"], { env: to(url) }),
  ]);
  expect([plain.code, plain.out]).toEqual([1, ""]);
  expect(plain.err).toMatch(new RegExp(`^croft: .* \\(${code}\\)$`, "m"));
  expect(plain.err).not.toMatch(/^\s+at /m);
  expect(plain.err).not.toContain(key);
  expect(json.code).toBe(1);
  expect(eventsOf(json.out).at(-1)).toMatchObject({ type: "stop", status: "error", answer: "", failure: { code } });
}

test("a wrong key is an error that does not show the key", async () => {
  const { url } = await serve([say("Yes.")], { apiKey: "another key" });
  await failsWith("E_AUTH", url);
});

test("a web page instead of an answer is an error", async () => {
  const { url } = await serve(() => html(200, "Sign in"));
  await failsWith("E_BAD_ANSWER", url);
});

test("a server that is down, broken or busy for ever is an error in the end", async () => {
  const [busy, broken, down] = await Promise.all([
    serve(() => httpError(429, "slow down", { "retry-after": "0" })),
    serve(() => httpError(500)),
    serve(silence),
  ]);
  await down.close();
  await Promise.all([
    failsWith("E_RATE_LIMIT", busy.url),
    failsWith("E_SERVER", broken.url),
    failsWith("E_UNREACHABLE", down.url),
  ]);
});

test.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 129],
] as const)("%s ends the run in good order: the stop event is printed, exit %i", async (signal, code) => {
  const { url, requests } = await serve(silence);
  const { child, ended } = start(makeWorld(), [...question, "--json"], { env: to(url) });
  await until(() => requests.length === 1);
  child.kill(signal);
  const { out, ...rest } = await ended;
  expect(rest).toEqual({ code, signal: null, err: "" });
  expect(eventsOf(out).at(-1)).toMatchObject({ type: "stop", status: "cancelled" });
});

test("time that runs out is a status of its own", async () => {
  const { url } = await serve(silence);
  const { code, out, err } = await croft(makeWorld(), [...question, "--timeout", "0.5"], { env: to(url) });
  expect([code, out]).toEqual([13, ""]);
  expect(err).toMatch(/^croft: Time ran out before an answer\. .*\ntimeout: 1 step, /m);
});

test("a ceiling that the first request could pass is a status of its own, and nothing is sent", async () => {
  const { url, requests } = await serve([say("Yes.")]);
  const { code } = await croft(makeWorld(), [...question, "--max-dollars", "0.000001"], { env: to(url) });
  expect([code, requests.length]).toEqual([12, 0]);
});

test("a piped question is answered", async () => {
  const { url } = await serve(() => say("Yes."));
  const world = makeWorld();
  const answers = await Promise.all([
    croft(world, ["ask"], { env: to(url), input: "What is this?\n" }),
    croft(world, ["ask", "-"], { env: to(url), input: "What is this?\n" }),
  ]);
  expect(answers.map(({ code, out }) => [code, out])).toEqual([
    [0, "Yes.\n"],
    [0, "Yes.\n"],
  ]);
});

const long = `${"0123456789".repeat(30_000)}\n`;

test("an answer of 300 kB arrives whole at a slow reader", async () => {
  const { url } = await serve([say(long)]);
  const { code, out } = await shell(
    makeWorld(),
    `"$0" "$1" ask what? 2>/dev/null | (sleep 1; wc -c); exit \${PIPESTATUS[0]}`,
    to(url),
  );
  expect([code, out.trim()]).toEqual([0, String(long.length)]);
});

test.each(["", "--json"])("a reader that goes away ends croft quietly, not with success (%s)", async (flag) => {
  const { url } = await serve([say(long)]);
  const line = `"$0" "$1" ask what? ${flag} 2>"$HOME/err" | head -c 10 >/dev/null; echo "\${PIPESTATUS[0]}"; grep -c croft: "$HOME/err"`;
  expect((await shell(makeWorld(), line, to(url))).out).toBe("141\n0\n");
});

test("a full disk at stdout is an error in one line", async () => {
  const { url } = await serve([say("Yes.")]);
  const { code, out } = await shell(makeWorld(), `"$0" "$1" ask what? >/dev/full`, to(url));
  expect(code).toBe(1);
  expect(out).toMatch(/^croft: Writing to stdout failed \(ENOSPC\)\.$/m);
});

test.each([
  ["stdin closed", `"$0" "$1" ask what? <&-`],
  ["stderr closed", `"$0" "$1" ask what? 2>&-`],
  ["no terminal at all", `setsid "$0" "$1" ask what?`],
  ["TERM unset", `unset TERM; "$0" "$1" ask what?`],
  ["HOME unset", `unset HOME; XDG_STATE_HOME="$PWD/../state" "$0" "$1" ask what?`],
  ["HOME that is no folder", `HOME=/dev/null "$0" "$1" ask what?`],
  ["stderr that nobody reads", `("$0" "$1" ask what? 2>&1 1>&3 | true) 3>&1`],
])("with %s the question is answered", async (_, line) => {
  const { url } = await serve([say("Yes.")]);
  const { code, out } = await shell(makeWorld(), line, to(url));
  expect([code, out.split("\n").includes("Yes.")]).toEqual([0, true]);
  expect(out).not.toMatch(/^\s+at |\u001b/m);
});

test("with stdout closed it ends without a crash", async () => {
  const { url } = await serve([say("Yes.")]);
  const { out } = await shell(makeWorld(), `"$0" "$1" ask what? >&-`, to(url));
  expect(out).toMatch(/^done: /m);
});

test.runIf(process.getuid?.() === 0)("with a read-only home it says that no trace is kept, and answers", async () => {
  const { url } = await serve([say("Yes.")]);
  const world = makeWorld();
  for (const folder of [world.base, world.home, world.project]) chmodSync(folder, 0o555);
  const { code, out, err } = await croft(world, question, { env: to(url), uid: 65534 });
  expect([code, out]).toEqual([0, "Yes.\n"]);
  expect(err).toMatch(/^No trace is kept: EACCES.*\n[^]*, no trace\n$/);
  expect(readdirSync(world.home)).toEqual([]);
});

test("without a key it is offline, and says so in one line", async () => {
  const { code, err } = await croft(makeWorld(), question, { env: { ANTHROPIC_API_KEY: "" } });
  expect(code).toBe(0);
  expect(
    err.split("\n").filter((line) => line.startsWith("No ANTHROPIC_API_KEY: using the rule-based offline model")),
  ).toHaveLength(1);
});
