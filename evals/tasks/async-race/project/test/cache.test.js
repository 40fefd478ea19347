import { deepEqual } from "node:assert/strict";
import { test } from "node:test";
import { createCache } from "../src/cache.js";

test("what was loaded is kept until it is out of date", async () => {
  let loads = 0;
  const cache = createCache(async (key) => `${key}${++loads}`);
  const got = [await cache.get("a"), await cache.get("a"), await cache.get("b")];
  cache.invalidate("a");
  deepEqual([...got, await cache.get("a")], ["a1", "a1", "b2", "a3"]);
});
