import { expect, test } from "vitest";
import { openDescriptors } from "../workspace/tree.testing.ts";
import { createArtifacts } from "./artifacts.ts";
import { plantFiles } from "./files.testing.ts";

const signal = new AbortController().signal;

test("a file that is in use when it gives way is closed once it no longer is", async () => {
  const { hold } = plantFiles({ a: "a\n" });
  const artifacts = createArtifacts("0000");
  const { id } = artifacts.add(await hold("a"), "text");
  const before = openDescriptors();
  const go = Promise.withResolvers<void>();
  const reading = artifacts.use(
    id,
    async ({ file }) => {
      await go.promise;
      const bytes = Buffer.alloc(1);
      await file.read(bytes, 0);
      return bytes.toString();
    },
    { signal },
  );
  await new Promise((resolve) => setImmediate(resolve)); // it has begun
  artifacts[Symbol.dispose]();
  expect(openDescriptors()).toBe(before);
  go.resolve();
  expect(await reading).toBe("a");
  expect(openDescriptors()).toBe(before === 0 ? 0 : before - 2);
  await expect(artifacts.use(id, async () => 0, { signal })).rejects.toMatchObject({ code: "E_NO_ARTIFACT" });
});

test("a held file that was let go reads nothing any more", async () => {
  const { hold } = plantFiles({ a: "a\n" });
  const file = await hold("a");
  file[Symbol.dispose]();
  await expect(file.read(Buffer.alloc(1), 0)).rejects.toMatchObject({ code: "E_RELEASED" });
});

test("who is not allowed to read it again works with nothing", async () => {
  let answers = 2;
  const { hold } = plantFiles({ a: "a\n" }, async () => ({ allowed: answers-- > 0, by: "person" }));
  const artifacts = createArtifacts("0000");
  const { id } = artifacts.add(await hold("a"), "text");
  await expect(artifacts.use(id, async () => "used", { signal })).rejects.toMatchObject({ code: "E_REFUSED" });
  artifacts[Symbol.dispose]();
});
