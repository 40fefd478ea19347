/** What the tests of verified turns share. */

import { homedir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Event } from "../event.ts";
import { codeGate } from "../gate/code.ts";
import type { Ask } from "../gate/questions.ts";
import { anthropic } from "../model/anthropic.ts";
import { openLog } from "../session/log.ts";
import { startMessagesServer, type MessagesServer } from "../testing/messages-server/messages-server.ts";
import { call, type ServerReply } from "../testing/messages-server/script.ts";
import { openUndo } from "../workspace/snapshot/undo.ts";
import { plantTree, type Planted } from "../workspace/tree.testing.ts";
import { openCode, type CodeOptions } from "./code.ts";
import { commandsBelow } from "./commands.testing.ts";
import type { VerifyOptions } from "./verifying.ts";

const never = new AbortController().signal;

const right: string = "export const add = (a, b) => a + b;\n";
export const sums: string = `import { add } from "./add.js";\nif (add(2, 2) !== 4) {\n  console.log("2 + 2 is not 4");\n  process.exit(1);\n}\n`;
const files: Readonly<Record<string, Planted>> = {
  "add.js": right,
  "add.test.js": sums,
  "package.json": '{\n  "type": "module",\n  "scripts": {\n    "test": "runner add.test.js"\n  }\n}\n',
  "node_modules/.bin/runner": { program: '#!/bin/sh\nexec node "$@"\n' },
};

export type Rig = {
  root: string;
  folder: string;
  trace: string;
  server: MessagesServer;
  events: Event[];
  run: (task?: string) => Promise<string>;
};

export type Given = VerifyOptions &
  Pick<CodeOptions, "steering"> & {
    ask?: Ask;
    sandbox?: boolean;
    undo?: false;
    files?: Readonly<Record<string, Planted>>;
  };

/**
 * A project with `add.js` and a test of it, a model that follows a script, and the real sandbox. Gone with the test.
 * `path`: where programs are.
 */
export async function verifiedProject(
  path: string | undefined,
  script: readonly ServerReply[],
  given: Given = {},
): Promise<Rig> {
  const { ask, sandbox = true, files: more = {}, undo, steering, ...verify } = given;
  const tree = plantTree({ ...files, ...more });
  onTestFinished(tree.remove);
  const place = (name: string): string => join(tree.outside, name);
  const server = await startMessagesServer({ script });
  onTestFinished(() => server.close());
  const events: Event[] = [];
  const session = openLog({ id: "test", file: place("trace.jsonl") });
  const commands = commandsBelow(tree.outside, path);
  const options: CodeOptions = {
    root: tree.root,
    gate: codeGate({ yes: true, ask }),
    model: anthropic({ model: "claude-opus-5-5", apiKey: "test-key", baseUrl: server.url }),
    session,
    emit: (event) => events.push(event),
    commands: { ...commands, user: { ...commands.user, RUSTUP_HOME: join(homedir(), ".rustup") }, sandbox },
    undo: undo === false ? undefined : openUndo({ store: place("undo"), root: tree.root }),
    verify,
    steering,
  };
  const coding = await openCode(options);
  onTestFinished(() => coding.close());
  return {
    root: tree.root,
    folder: commands.outputs,
    trace: place("trace.jsonl"),
    server,
    events,
    run: async (task = "Make add return a - b.") => (await coding.run(task, never)).status,
  };
}

export const reads: ServerReply = Object.keys(files)
  .filter((path) => !path.startsWith("node_modules"))
  .map((path) => call("read_file", { path }));
export const edit = (path: string, from: string, to: string): ServerReply => [
  call("edit_file", { path, old_string: from, new_string: to }),
];
export const breakIt: ServerReply = edit("add.js", "a + b", "a - b");
export const fixIt: ServerReply = edit("add.js", "a - b", "a + b");
export const shell = (command: string): ServerReply => [call("run_shell", { command })];

export const checks = (events: readonly Event[]): unknown[] =>
  events.flatMap((event) => (event.type === "check" && event.name === "verify" ? [event.result] : []));
export const notices = (events: readonly Event[]): string[] =>
  events.flatMap((event) => (event.type === "notice" && event.code === "verify" ? [event.text] : []));
