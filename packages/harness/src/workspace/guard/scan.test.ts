import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { policyFrom } from "../../policy/rules.ts";
import { openBeneath } from "../place/beneath.ts";
import type { FolderEntry, Place } from "../place/place.ts";
import { someRules } from "./enclosed.testing.ts";
import { scanner } from "./scan.ts";

let folder = "";
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "croft-test-"))));
afterEach(() => rmSync(folder, { recursive: true }));

/** Looks at the folder; the same scanner each time. */
function looks(): () => Promise<string[]> {
  const walk = scanner(policyFrom(someRules));
  return async () => {
    const root = openBeneath(folder);
    try {
      const { borders } = await walk.scan(root.top, new AbortController().signal);
      return borders.map(({ path, read, write }) => `${path} ${read ? "r" : "-"}${write ? "w" : "-"}`).toSorted();
    } finally {
      root.release();
    }
  };
}

function put(file: string): void {
  mkdirSync(join(folder, file, ".."), { recursive: true });
  writeFileSync(join(folder, file), "");
}

const onLinux = test.runIf(process.platform === "linux");

onLinux("finds where access changes, in hidden and ignored folders too, and not behind links", async () => {
  for (const file of [
    ".env",
    "a/b/.env",
    ".hidden/x.pem",
    ".ssh/.env.example",
    ".gitignore",
    "node_modules/p/x.pem",
    "sub/.git/HEAD",
  ]) {
    put(file);
  }
  writeFileSync(join(folder, ".gitignore"), "*\n");
  symlinkSync("..", join(folder, "a/up"));
  expect(await looks()()).toEqual([
    ".env --",
    ".hidden/x.pem --",
    ".ssh --",
    ".ssh/.env.example rw",
    "a/b/.env --",
    "sub/.git r-",
  ]);
});

onLinux("sees every change since, also one that hides its time", async () => {
  put("a/b/c");
  put("d/.env");
  const look = looks();
  expect(await look()).toEqual(["d/.env --"]);
  await new Promise((resolve) => setTimeout(resolve, 250));
  await look();
  put("a/b/.env");
  utimesSync(join(folder, "a/b"), 0, 0);
  renameSync(join(folder, "d"), join(folder, "e"));
  expect(await look()).toEqual(["a/b/.env --", "e/.env --"]);
  rmSync(join(folder, "a/b/.env"));
  expect(await look()).toEqual(["e/.env --"]);
});

onLinux("a folder with hundreds of thousands of folders and secrets in it is looked into as any other", async () => {
  const root = openBeneath(folder);
  const names = Array.from({ length: 150_000 }, (_, n) => [`d${n}`, `k${n}.pem`]).flat();
  const entries = names.map((name): FolderEntry => ({ name, kind: name.endsWith(".pem") ? "file" : "directory" }));
  const crowd: Partial<Place> = { entries: () => entries, child: () => undefined };
  const crowded = new Proxy(root.top, {
    get(place, name) {
      const value: unknown = Reflect.get(crowd, name) ?? Reflect.get(place, name, place);
      return typeof value === "function" ? value.bind(place) : value;
    },
  });
  try {
    const { borders } = await scanner(policyFrom(someRules)).scan(crowded, new AbortController().signal);
    expect(borders.length).toBe(150_000);
  } finally {
    root.release();
  }
});
