import { Writable } from "node:stream";
import { expect, test } from "vitest";
import { openOutput } from "./output.ts";

test("flushed waits until a slow reader has taken all of it", async () => {
  let taken = "";
  const slow = new Writable({
    highWaterMark: 4,
    write(chunk, _encoding, done) {
      setTimeout(() => {
        taken += String(chunk);
        done();
      }, 1);
    },
  });
  const out = openOutput(slow, () => undefined);
  for (let n = 0; n < 50; n++) out.write("0123456789");
  await out.flushed();
  expect(taken).toBe("0123456789".repeat(50));
});

test("a reader that went away is told once, and writing goes on in silence", async () => {
  const gone = new Writable({
    write(_chunk, _encoding, done) {
      done(Object.assign(new Error("write EPIPE"), { code: "EPIPE" }));
    },
  });
  let calls = 0;
  const out = openOutput(gone, () => {
    calls += 1;
  });
  out.write("a");
  await out.flushed();
  out.write("b");
  await out.flushed();
  expect([out.broken(), calls]).toEqual(["EPIPE", 1]);
});
