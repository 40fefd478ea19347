import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import manifest from "../../packages/cli/package.json" with { type: "json" };
import { bin, croft, makeWorld } from "./croft.ts";

/** The built files that ran, as the coverage of V8 lists them. */
async function ran(...args: readonly string[]): Promise<{ out: string; files: string[] }> {
  const world = makeWorld();
  const coverage = join(world.base, "coverage");
  mkdirSync(coverage);
  const { code, out } = await croft(world, args, { env: { NODE_V8_COVERAGE: coverage } });
  expect(code).toBe(0);
  const urls = readdirSync(coverage).flatMap((file) => {
    const { result }: { result: { url: string }[] } = JSON.parse(readFileSync(join(coverage, file), "utf8"));
    return result.map(({ url }) => url);
  });
  return { out, files: urls.filter((url) => url.includes("/cli/dist/")).map((url) => basename(url)) };
}

test("--version and --help load nothing but the entry", async () => {
  for (const [flag, words] of [
    ["--version", `${manifest.version}\n`],
    ["--help", "Exit codes:"],
  ] as const) {
    const { out, files } = await ran(flag);
    expect(out).toContain(words);
    expect(files).toEqual(["main.cjs"]);
  }
});

test("under an old Node it says how the checkout's own is called from anywhere", () => {
  const old = "Object.defineProperty(process, 'versions', { value: { node: '20.1.0' } })";
  const { status, stderr } = spawnSync(process.execPath, ["-e", `${old}; require(${JSON.stringify(bin)})`], {
    encoding: "utf8",
  });
  const node = join(bin, "../../../../node_modules/.bin/node");
  expect([status, stderr.split("\n")[1]]).toEqual([
    1,
    `This checkout has one: \`npx croft\` in it, or from anywhere: alias croft="${node} ${bin}"`,
  ]);
});

test("a command without a service does not load the SDK", async () => {
  const { files } = await ran("ask", "Where is main defined?");
  expect(files.filter((file) => file.startsWith("cli-"))).toHaveLength(1);
  expect(files.filter((file) => file.startsWith("sdk-"))).toEqual([]);
});

test("a question that needs no tool loads no part of Node that only tools need", async () => {
  const world = makeWorld();
  const told = "process.on('exit',()=>process.stderr.write(JSON.stringify(process.moduleLoadList)))";
  const { code, err } = await croft(world, ["ask", "--model", "offline", "Hello?"], {
    env: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(told)}` },
  });
  expect(code).toBe(0);
  const loaded: string[] = JSON.parse(err.slice(err.lastIndexOf("[")));
  expect(loaded).toContain("NativeModule fs");
  expect(["crypto", "child_process"].filter((name) => loaded.includes(`NativeModule ${name}`))).toEqual([]);
});

test("the bundle is ASCII: a file that is not takes twice the memory, and longer to load", () => {
  const folder = join(bin, "../../dist");
  const built = readdirSync(folder).filter((file) => file.endsWith(".cjs"));
  expect(built).toContain("main.cjs");
  expect(built.filter((file) => readFileSync(join(folder, file)).some((byte) => byte > 0x7f))).toEqual([]);
});
