import { equal } from "node:assert/strict";
import { test } from "node:test";
import { settings } from "../src/settings.js";

test("variables come before the file", () => equal(settings({ timeout: 5 }, { TIMEOUT: "7" }).timeout, 7));
test("the file comes before the defaults", () => equal(settings({ timeout: 5 }, {}).timeout, 5));
