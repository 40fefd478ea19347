import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import { neighbours, page, pageCount } from "../src/paging.js";

const items = (length) => Array.from({ length }, (_, n) => n);

test("full pages are not followed by an empty one", () => {
  deepEqual(
    [0, 1, 9, 10, 11, 20, 21].map((length) => pageCount(items(length), 10)),
    [0, 1, 1, 1, 2, 2, 3],
  );
});

test("each item is on one page", () => {
  for (const length of [1, 10, 11, 20, 25]) {
    const all = items(length);
    const pages = Array.from({ length: pageCount(all, 10) }, (_, n) => page(all, n + 1, 10));
    deepEqual(pages.flat(), all);
    equal(
      pages.every((each) => each.length <= 10),
      true,
    );
  }
});

test("the last page is among the neighbours", () => {
  deepEqual(neighbours(items(20), 1, 10), [1, 2]);
  deepEqual(neighbours(items(95), 5, 10), [3, 4, 5, 6, 7]);
  deepEqual(neighbours(items(95), 10, 10), [8, 9, 10]);
});
