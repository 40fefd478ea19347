import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { call, say } from "@croft/harness/testing";
import { makeWorld, start } from "./cli/croft.ts";
import { key, serve } from "./cli/server.ts";
import { needs } from "./support/needs.ts";

test.runIf(process.platform === "linux" && needs("bwrap"))(
  "a gigabyte of output: its start and its end are told, and croft stays as small as it was",
  async () => {
    const flood = "yes 'a line of output' | head -c 1000000000; echo the end";
    const calls = ["true", flood].map((line) =>
      call("run_command", { argv: ["bash", "-c", line], timeout_seconds: 300 }),
    );
    let small = 0;
    let large = 0;
    const server = await serve((_, n) => {
      const peak = Number(/VmHWM:\s*(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1]);
      if (n === 2) small = peak;
      large = peak;
      return [...calls, say("Done.")][n - 1] ?? say("?");
    });
    const env = { ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: server.url };
    const { child, ended } = start(makeWorld(), ["run", "--yes", "Go."], { env });
    expect((await ended).code).toBe(0);
    const last = JSON.stringify(server.requests.at(-1)?.body.messages.at(-1));
    expect(last).toMatch(/exit code 0\\na line of output\\n.*characters left out.*the end/);
    expect(last.length).toBeLessThan(60_000);
    expect(large - small).toBeLessThan(300_000);
  },
);
