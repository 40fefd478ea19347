import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { foldersOf, toolchainMounts } from "./toolchains.ts";

let base = "";
beforeEach(() => void (base = mkdtempSync(join(realpathSync(tmpdir()), "croft-test-"))));
afterEach(() => rmSync(base, { recursive: true }));

test("toolchains and downloads are shown where they are, credentials beside them are not", () => {
  const home = join(base, "home");
  const made = [
    ".cargo/bin",
    ".cargo/registry",
    ".npm/_cacache",
    ".npm/_logs",
    "real-nvm",
    ".ssh",
    ".config/gh",
    ".aws",
  ];
  for (const folder of made) mkdirSync(join(home, folder), { recursive: true });
  for (const file of [".cargo/credentials.toml", ".npmrc", ".netrc"]) writeFileSync(join(home, file), "canary");
  symlinkSync("real-nvm", join(home, ".nvm"));
  symlinkSync(home, join(home, ".pyenv"));
  for (const folder of ["jdk/bin", "cargo/registry", "project/bin"]) mkdirSync(join(base, folder), { recursive: true });
  const root = join(base, "project");
  const environment = {
    JAVA_HOME: join(base, "jdk"),
    CARGO_HOME: join(base, "cargo"),
    GOROOT: "relative",
    NVM_DIR: base,
  };
  const searchPath = [join(base, "jdk/bin"), home, base, "/", root, "bin", "", join(root, "bin")].join(":");
  const mounts = toolchainMounts({ home, root, searchPath, environment });
  expect(mounts.map(({ kind, target }) => [kind, target.slice(base.length)])).toEqual(
    [
      "/home/.cargo/bin",
      "/home/.nvm",
      "/home/real-nvm",
      "/home/.npm/_cacache",
      "/home/.cargo/registry",
      "/cargo/registry",
      "/jdk",
      "/jdk/bin",
      "/project/bin",
    ].map((target) => ["read-only", target]),
  );
});

test("of a PATH, what is relative or empty is left out, and each folder is there once", () => {
  expect(foldersOf("/usr/bin/:bin::/a/../b:/usr/bin:.:/")).toEqual(["/usr/bin", "/b", "/"]);
});
