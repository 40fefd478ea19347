/** The task that the README shows: its project, and a model that says what was written down for it. */

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { call, say, startMessagesServer, type MessagesServer, type ServerReply } from "@croft/harness/testing";

const files = {
  "package.json": '{ "type": "module", "scripts": { "test": "node --test" } }\n',
  "add.js": "export function add(a, b) {\n  return a - b;\n}\n",
  "add.test.js":
    'import { equal } from "node:assert";\nimport { test } from "node:test";\nimport { add } from "./add.js";\n\n' +
    'test("adds", () => equal(add(1, 2), 3));\n',
};

const tests = call("run_command", { argv: ["npm", "test"] });
const script: readonly ServerReply[] = [
  [tests, call("read_file", { path: "add.js" })],
  [call("edit_file", { path: "add.js", old_string: "a - b", new_string: "a + b" }), tests],
  say("`add` subtracted; it adds now (add.js:2), and the tests pass."),
];

export const key = "sk-readme";

/** Plants `sums` in a folder, and starts the model. It serves one run. */
export async function startSums(home: string): Promise<MessagesServer> {
  const folder = join(home, "sums");
  mkdirSync(folder);
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  return startMessagesServer({ script, apiKey: key });
}
