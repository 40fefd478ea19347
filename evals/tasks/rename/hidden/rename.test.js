import { deepEqual, doesNotMatch, equal, match, throws } from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import * as index from "../src/index.js";
import * as users from "../src/users.js";
import { greet } from "../src/greet.js";
import { answer } from "../src/router.js";

const read = (path) => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");

test("the new name is exported, the old one is not", () => {
  deepEqual(Object.keys(index), ["counts", "fetchUserSettings", "loadUser", "user"]);
  deepEqual(Object.keys(users), ["fetchUserSettings", "loadUser"]);
  equal(index.user, users.loadUser);
});

test("whoever used it still works", () => {
  equal(greet(2), "Hello Grace");
  deepEqual(answer("/user", 1), { status: 200, body: { id: 1, name: "Ada" } });
  equal(answer("/settings", 2).body.greeting, "Hello Grace");
  throws(() => users.loadUser(3), /^Error: loadUser: there is no user 3$/);
});

test("the name in the metrics stays", () => {
  const before = index.counts().fetchUser ?? 0;
  users.loadUser(1);
  equal(index.counts().fetchUser, before + 1);
  equal("loadUser" in index.counts(), false);
});

test("README and tests speak of the new name", () => {
  for (const path of ["README.md", "test/users.test.js"]) {
    match(read(path), /\bloadUser\b/);
    doesNotMatch(read(path), /\bfetchUser\b/);
  }
  match(read("README.md"), /fetchUserSettings/);
});
