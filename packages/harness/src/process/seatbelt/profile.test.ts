/** What is derived from policy and places; whether macOS holds it is not tested anywhere. */

import { SandboxRuntimeConfigSchema } from "@anthropic-ai/sandbox-runtime";
import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { parseHost } from "../proxy/hosts.ts";
import { commandLine, domainsFor, filesystemFor } from "./profile.ts";

const grounds = {
  root: "/Users/me/project [old]",
  cache: "/Users/me/Library/croft",
  scratch: "/private/var/folders/croft-1",
  home: "/Users/me",
  toolchains: ["/Users/me/.cargo/bin"],
};

const at = (path: string): { path: string; literal: true } => ({ path, literal: true });
const shared = ["/tmp/claude", "/private/tmp/claude"].map(at);

test("the project, its cache and temporary files are written; people's own files are not even read", () => {
  const filesystem = filesystemFor(grounds, []);
  expect(filesystem).toEqual({
    denyRead: ["/Users/me", "/Users", "/Volumes", "/private/tmp", "/private/var/folders", "/private/var/tmp"].map(at),
    allowRead: [grounds.root, grounds.cache, grounds.scratch, ...grounds.toolchains].map(at),
    allowWrite: [grounds.root, grounds.cache, grounds.scratch].map(at),
    denyWrite: shared,
  });
});

test("a project that lies where the library lets everybody write is written all the same", () => {
  const { denyWrite } = filesystemFor({ ...grounds, root: "/private/tmp/claude/project" }, []);
  expect(denyWrite).toEqual([at("/tmp/claude")]);
});

test("what a guard holds is neither read nor written, or only read; what it opens within is read", () => {
  const place = (path: string): string => `${grounds.root}/${path}`;
  const { denyRead, allowRead, denyWrite } = filesystemFor(grounds, [
    { path: place(".env"), folder: false, hold: "empty" },
    { path: place(".git"), folder: true, hold: "writable" },
    { path: place(".git/config"), folder: false, hold: "read-only", content: "[user]\n" },
    { path: place(".git/hooks"), folder: true, hold: "read-only" },
    { path: place("keys"), folder: true, hold: "unreadable" },
    { path: place("keys/public"), folder: true, hold: "read-only" },
  ]);
  expect(denyRead.slice(6)).toEqual([".env", ".git/config", "keys"].map((path) => at(place(path))));
  expect(allowRead?.slice(4)).toEqual([at(place("keys/public"))]);
  const held = [".env", ".git/config", ".git/hooks", "keys", "keys/public"].map((path) => at(place(path)));
  expect(denyWrite).toEqual([...shared, ...held]);
});

test("a project that is read-only is closed for writing as a whole, whatever is open in it", () => {
  const places = [{ path: `${grounds.root}/.git`, folder: true, hold: "writable" }] as const;
  const { allowWrite, denyWrite } = filesystemFor(grounds, places, { readOnly: true });
  expect([allowWrite, denyWrite]).toEqual([[grounds.cache, grounds.scratch].map(at), [...shared, at(grounds.root)]]);
});

test("hosts are named with their ports, a server of this machine by its address too, and the library takes it all", () => {
  const allowedDomains = domainsFor(["registry.npmjs.org", "example.com:8443", "localhost:4873"].map(parseHost));
  expect(allowedDomains).toEqual([
    "registry.npmjs.org:80",
    "registry.npmjs.org:443",
    "example.com:8443",
    "localhost:4873",
    "127.0.0.1:4873",
  ]);
  const config = { network: { allowedDomains, deniedDomains: [] }, filesystem: filesystemFor(grounds, []) };
  expect(SandboxRuntimeConfigSchema.parse(config)).toEqual(config);
});

test("a shell that is given the line becomes the program, with just these arguments", () => {
  const words = ["", "a b", "it's", '$HOME `x` \\ "', "'", "*", "line\nline", "-n"];
  const line = commandLine([
    process.execPath,
    "-p",
    "JSON.stringify([process.argv.slice(1), process.pid])",
    "--",
    ...words,
  ]);
  const said = execFileSync("bash", ["--norc", "-c", `echo $$; ${line}`], { encoding: "utf8" });
  const [pid, json = ""] = said.split(/\n(.*)/s);
  expect(JSON.parse(json)).toEqual([words, Number(pid)]);
});
