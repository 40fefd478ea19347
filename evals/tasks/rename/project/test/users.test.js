import { equal } from "node:assert/strict";
import { test } from "node:test";
import { fetchUser } from "../src/index.js";

test("a user is found by its number", () => equal(fetchUser(1).name, "Ada"));
