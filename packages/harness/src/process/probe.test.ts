import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { Failure } from "../error.ts";
import { probeProgram, type ProbeResult } from "./probe.ts";

const never = new AbortController().signal;

function probe(script: string, ms = 30_000, program = "/bin/sh"): Promise<ProbeResult | string> {
  return probeProgram([program, "-c", script], { cwd: tmpdir(), env: { ONLY: "this" }, ms }, never).catch(
    (thrown: unknown) => (thrown instanceof Failure ? thrown.code : String(thrown)),
  );
}

test("tells the exit code, the output and the errors, in an environment of its own", async () => {
  expect(await probe('echo "$ONLY-$HOME"; echo bad >&2; exit 3')).toEqual({ code: 3, output: "this-", errors: "bad" });
});

test("a program that does not end is ended, with all it started", async () => {
  expect(await probe("sleep 600 & sleep 600", 200)).toBe("E_TIMEOUT");
});

test("a program that is not there is told", async () => {
  expect(await probe("", 30_000, "/nonexistent/program")).toBe("E_NOT_STARTED");
});

test("a flood of output is not kept", async () => {
  const probed = await probe("head -c 3000000 /dev/zero | tr '\\0' x");
  expect(typeof probed === "object" && [probed.code, probed.output.length < 200_000]).toEqual([0, true]);
});
