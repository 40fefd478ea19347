import { deepEqual, equal, rejects } from "node:assert/strict";
import { test } from "node:test";
import { createCache } from "../src/cache.js";

/** A cache whose loads end when they are told to. */
function controlled() {
  const loads = [];
  const cache = createCache((key) => {
    const load = Promise.withResolvers();
    loads.push({ key, ...load });
    return load.promise;
  });
  return { cache, loads };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test("a key that is asked for again meanwhile is loaded once", async () => {
  const { cache, loads } = controlled();
  const both = Promise.all([cache.get("a"), cache.get("a"), cache.get("b")]);
  await settled();
  deepEqual(
    loads.map(({ key }) => key),
    ["a", "b"],
  );
  loads[0].resolve(1);
  loads[1].resolve(2);
  deepEqual(await both, [1, 1, 2]);
});

test("undefined is something that was loaded, too", async () => {
  const { cache, loads } = controlled();
  const first = cache.get("a");
  await settled();
  loads[0].resolve(undefined);
  equal(await first, undefined);
  equal(await cache.get("a"), undefined);
  equal(loads.length, 1);
});

test("a load that fails, fails for all who wait, and is not kept", async () => {
  const { cache, loads } = controlled();
  const both = [cache.get("a"), cache.get("a")];
  const failed = Promise.all(both.map((each) => rejects(each, /down/)));
  await settled();
  equal(loads.length, 1);
  loads[0].reject(new Error("down"));
  await failed;
  const again = cache.get("a");
  await settled();
  loads[1].resolve("up");
  equal(await again, "up");
});

test("nothing loaded before an invalidate answers what was asked for after it", async () => {
  const { cache, loads } = controlled();
  const old = cache.get("a");
  await settled();
  cache.invalidate("a");
  const fresh = cache.get("a");
  await settled();
  equal(loads.length, 2);
  loads[1].resolve("new");
  equal(await fresh, "new");
  loads[0].resolve("old");
  await old;
  equal(await cache.get("a"), "new");
});

test("an old load that fails late leaves the new value alone", async () => {
  const { cache, loads } = controlled();
  const old = rejects(cache.get("a"), /late/);
  await settled();
  cache.invalidate("a");
  const fresh = cache.get("a");
  await settled();
  equal(loads.length, 2);
  loads[1].resolve("new");
  await fresh;
  loads[0].reject(new Error("late"));
  await old;
  equal(await cache.get("a"), "new");
  equal(loads.length, 2);
});
