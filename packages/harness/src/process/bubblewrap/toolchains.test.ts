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
    ".volta/bin",
    ".gradle/jdks",
    ".gradle/init.d",
    ".conda/envs",
    "real-nvm",
    ".ssh",
    ".config/gh",
    ".aws",
  ];
  for (const folder of made) mkdirSync(join(home, folder), { recursive: true });
  for (const file of [".cargo/credentials.toml", ".npmrc", ".netrc", ".gradle/gradle.properties", ".conda/token"]) {
    writeFileSync(join(home, file), "canary");
  }
  // Their programs are started by others that first look for these.
  for (const file of [".volta/layout.v4", ".tool-versions"]) writeFileSync(join(home, file), "");
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
      "/home/.volta",
      "/home/.conda/envs",
      "/home/.gradle/jdks",
      "/home/.tool-versions",
      "/home/.npm/_cacache",
      "/home/.cargo/registry",
      "/cargo/registry",
      "/jdk",
      "/jdk/bin",
    ].map((target) => ["read-only", target]),
  );
});

test("what programs of the PATH need beside them is shown too, people's data is not", () => {
  const home = join(base, "home");
  for (const folder of [
    "home/lib",
    "home/bin",
    "home/shims",
    "home/.local/bin",
    "home/.local/lib",
    "home/.local/share/keyrings",
    "managers/py/shims",
    "managers/py/versions",
    "managers/py/private",
    "node/bin",
    "node/lib/node_modules",
    "node/share",
    "venv/bin",
  ]) {
    mkdirSync(join(base, folder), { recursive: true });
  }
  writeFileSync(join(base, "venv/pyvenv.cfg"), "home = /usr/bin\n");
  const searchPath = ["home/bin", "home/shims", "home/.local/bin", "managers/py/shims", "node/bin", "venv/bin"]
    .map((folder) => join(base, folder))
    .join(":");
  const mounts = toolchainMounts({ home, root: join(base, "project"), searchPath, environment: {} });
  expect([...new Set(mounts.map(({ target }) => target.slice(base.length)))]).toEqual([
    "/home/.local/bin",
    "/home/.local/lib",
    "/home/bin",
    "/home/lib",
    "/home/shims",
    "/managers/py/shims",
    "/managers/py/versions",
    "/node/bin",
    "/node/lib",
    "/venv/bin",
    "/venv/pyvenv.cfg",
  ]);
});

test("of a PATH, what is relative or empty is left out, and each folder is there once", () => {
  expect(foldersOf("/usr/bin/:bin::/a/../b:/usr/bin:.:/")).toEqual(["/usr/bin", "/b", "/"]);
});

test("of what holds keys or passwords beside its programs, only the programs are shown", () => {
  const home = join(base, "home");
  const made = [
    "home/.dotnet/sdk",
    "home/.dotnet/corefx/cryptography/x509stores/my",
    "venv/bin",
    "venv/lib",
    "shared/host",
  ];
  for (const folder of [...made, "shared/corefx"]) mkdirSync(join(base, folder), { recursive: true });
  for (const file of ["home/.dotnet/corefx/cryptography/x509stores/my/key.pfx", "venv/pip.conf"]) {
    writeFileSync(join(base, file), "canary");
  }
  const environment = { VIRTUAL_ENV: join(base, "venv"), DOTNET_ROOT: join(base, "shared") };
  const searchPath = join(home, ".dotnet");
  const mounts = toolchainMounts({ home, root: join(base, "project"), searchPath, environment });
  expect([...new Set(mounts.map(({ target }) => target.slice(base.length)))].toSorted()).toEqual([
    "/home/.dotnet/sdk",
    "/shared/host",
    "/venv/bin",
    "/venv/lib",
  ]);
});

test("a link in the project leads nowhere, whoever names it: anybody may have made it", () => {
  const home = join(base, "home");
  const root = join(base, "project");
  for (const folder of [join(home, ".ssh"), root]) mkdirSync(folder, { recursive: true });
  symlinkSync(join(home, ".ssh"), join(root, "bin"));
  symlinkSync(root, join(base, "alias"));
  const searchPath = [join(root, "bin"), join(base, "alias/bin")].join(":");
  const environment = { VIRTUAL_ENV: root, JAVA_HOME: join(root, "bin") };
  expect(toolchainMounts({ home, root, searchPath, environment })).toEqual([]);
});
