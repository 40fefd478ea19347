import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { MessagesServer } from "@croft/harness/testing";
import { needs } from "./support/needs.ts";
import { key, startSums } from "./support/sums.ts";

/** Every `console` block of the documents is run in this checkout, and has to print what it says. */
const root = path.join(import.meta.dirname, "..");
const documents = ["README.md", ...readdirSync(path.join(root, "docs")).map((name) => `docs/${name}`)].filter((name) =>
  name.endsWith(".md"),
);
const home = mkdtempSync(path.join(tmpdir(), "croft-docs-"));
afterAll(() => rmSync(home, { recursive: true }));

/** `croft run` is shown with a model that is a server of this test, and in the sandbox. */
const hasSandbox = process.platform === "linux" && needs("bwrap");
let model: MessagesServer | undefined;
beforeAll(async () => void (model = await startSums(home)));
afterAll(() => model?.close());

type Example = { name: string; command: string; output: string };

describe("the examples of the documents", () => {
  it.for(documents.flatMap(examplesOf))("$name", async ({ command, output }, { skip }) => {
    skip(!hasSandbox && isTask(command));
    const printed = await run(command);
    expect(matches(output, printed), `${command} printed:\n${printed}\ninstead of:\n${output}`).toBe(true);
  });

  it("of the library run as they stand", async () => {
    const folder = path.join(root, "packages", "harness");
    const [, code = ""] = /^```ts\n(.*?)^```$/ms.exec(readFileSync(path.join(folder, "README.md"), "utf8")) ?? [];
    const printed = await new Promise<string>((resolve, reject) => {
      const node = [process.execPath, ["--input-type=module", "-e", code]] as const;
      execFile(...node, { cwd: folder, timeout: 60_000 }, (error, stdout) => (error ? reject(error) : resolve(stdout)));
    });
    expect(printed).toMatch(/^`openFence` is defined at src\/workspace/);
  });

  it("are matched line by line, … standing for anything", () => {
    expect(matches("a …\n…\nz", "a b\nc\nd\nz")).toBe(true);
    expect(matches("a\n…\nz", "a\nc\ny")).toBe(false);
    expect(matches("a.b", "axb")).toBe(false);
  });
});

/** A line that begins with `$ ` is a command, those below it are what it prints. */
function examplesOf(document: string): Example[] {
  const text = readFileSync(path.join(root, document), "utf8");
  const blocks = [...text.matchAll(/^```console\n(.*?)^```$/gms)].map((match) => match[1] ?? "");
  return blocks.flatMap((block) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((example) => {
        const [command = "", ...output] = example.split("\n");
        return { name: `${document}: ${command}`, command, output: output.join("\n").trimEnd() };
      }),
  );
}

function isTask(command: string): boolean {
  return command.startsWith("cd ~/sums ");
}

/** In the shell of the reader, both streams as a terminal shows them. */
function run(command: string): Promise<string> {
  const env = {
    HOME: home,
    PATH: [path.join(root, "node_modules", ".bin"), path.dirname(process.execPath), process.env["PATH"]].join(":"),
    ...(isTask(command) ? { ANTHROPIC_BASE_URL: model?.url, ANTHROPIC_API_KEY: key } : {}),
  };
  return new Promise((resolve) => {
    execFile("sh", ["-c", `exec 2>&1 </dev/null\n${command}`], { cwd: root, env, timeout: 60_000 }, (_, stdout) =>
      resolve(stdout.trimEnd()),
    );
  });
}

/** `…` within a line stands for some characters, alone on a line for some lines. */
function matches(expected: string, printed: string): boolean {
  const source = expected
    .split("\n")
    .map((line) => (line === "…" ? "(?:.*\\n)*?" : `${literally(line).replaceAll("…", ".*")}\\n`))
    .join("");
  return new RegExp(`^${source}$`).test(`${printed}\n`);
}

function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
