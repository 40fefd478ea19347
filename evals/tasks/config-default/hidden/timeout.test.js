import { deepEqual, equal, match } from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { deadline } from "../src/request.js";
import { settings } from "../src/settings.js";

test("the defaults", () => {
  deepEqual(settings({}, {}), { retries: 30, timeout: 10, verbose: false });
  deepEqual(settings({}, { TIMEOUT: "", RETRIES: "" }), { retries: 30, timeout: 10, verbose: false });
});

test("nothing is a timeout like another", () => {
  equal(settings({ timeout: 0 }, {}).timeout, 0);
  equal(settings({ timeout: 5 }, { TIMEOUT: "0" }).timeout, 0);
  equal(settings({ timeout: 0 }, { TIMEOUT: "7" }).timeout, 7);
  equal(settings({ timeout: null }, {}).timeout, 10);
});

test("and means to wait for ever", () => {
  equal(deadline(settings({}, { TIMEOUT: "0" })), undefined);
  equal(deadline(settings({}, {})), 10_000);
  equal(deadline({ timeout: 7 }), 7000);
});

test("the README says so", () => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  match(readme, /^\| `timeout` \| `TIMEOUT` \| 10 \|/m);
  match(readme, /^\| `retries` \| `RETRIES` \| 30 \|/m);
});
