import { equal } from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

const project = new URL("..", import.meta.url);
const expected = [
  "# Beschriftungen f\xfcr das Gesch\xe4ft",
  "shop.title=Caf\xe9 M\xfcller",
  "order.submit=Buy now",
  "order.cancel=Stop",
  "order.size=Gr\xf6\xdfe\t",
  "",
  "order.thanks=Danke sch\xf6n",
];

test("two lines are new, and every other byte is what it was", () => {
  equal(readFileSync(new URL("labels.properties", project), "latin1"), expected.join("\r\n"));
});

test("nothing else appeared", () => {
  const files = readdirSync(project).filter((name) => name !== "hidden-tests" && !name.startsWith("."));
  equal(files.join(), "README.md,labels.properties");
});
