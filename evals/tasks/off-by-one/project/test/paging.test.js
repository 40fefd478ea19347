import { equal } from "node:assert/strict";
import { test } from "node:test";
import { page, pageCount } from "../src/paging.js";

const items = Array.from({ length: 25 }, (_, n) => n);

test("what is left over has a page of its own", () => equal(pageCount(items, 10), 3));
test("a page begins where the one before ends", () => equal(page(items, 2, 10)[0], 10));
