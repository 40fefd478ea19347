/** A gate that asks over a chat system, with a small one on this machine. */

import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { openCodeTools } from "@croft/harness";
import { chatGate } from "../../examples/chat-gate.ts";

type Question = { asked: object; looks: number };

/** `answer`: what stands there when a question is looked at for the nth time. */
async function chat(answer: (looks: number) => object): Promise<{ url: string; questions: Question[] }> {
  const questions: Question[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      if (request.method === "POST") {
        const id = questions.push({ asked: JSON.parse(await text(request)), looks: 0 }) - 1;
        return response.end(JSON.stringify({ id: String(id) }));
      }
      const question = questions[Number(request.url?.split("/").at(-1))];
      if (question === undefined) return response.writeHead(404).end();
      question.looks += 1;
      return response.end(JSON.stringify(answer(question.looks)));
    })();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const address = server.address();
  return { url: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`, questions };
}

type Rig = { root: string; questions: Question[]; write: (signal?: AbortSignal) => Promise<string> };

async function rig(answer: (looks: number) => object, patience = 60_000): Promise<Rig> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "croft-example-")));
  onTestFinished(() => rmSync(root, { recursive: true }));
  writeFileSync(join(root, "a.txt"), "old\n");
  const { url, questions } = await chat(answer);
  const tools = await openCodeTools({ root, gate: chatGate({ url, patience, interval: 10 }), trusting: true });
  onTestFinished(() => tools.close());
  return {
    root,
    questions,
    async write(signal = new AbortController().signal) {
      const { content } = await tools.call("write_file", { path: "a.txt", content: "new\n" }, signal);
      return content.map((block) => (block.type === "text" ? block.text : "")).join("\n");
    },
  };
}

test("an answer that comes later decides: the change is made only then", async () => {
  const { root, questions, write } = await rig((looks) => (looks < 5 ? {} : { answer: "yes" }));
  expect(await write()).toBe("Changed a.txt (+1 -1)\n-\told\n1+\tnew");
  expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("new\n");
  const diff = expect.stringMatching(/-old\n\+new\n/);
  expect(questions).toEqual([{ asked: { text: "May I change this?", diffs: [{ path: "a.txt", diff }] }, looks: 5 }]);
});

test("a no is a no, with the reason that the person gave", async () => {
  const { root, write } = await rig(() => ({ answer: "no", note: "Not on a Friday." }));
  expect(await write()).toBe("The user did not allow this: Not on a Friday. Ask what they want instead.");
  expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("old\n");
});

test("who does not answer in time has not said yes", async () => {
  const { root, write } = await rig(() => ({}), 100);
  expect(await write()).toBe("The user did not allow this: nobody answered in time. Ask what they want instead.");
  expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("old\n");
});

test("a chat system that is not there is a no; what is cancelled is waited for no longer", async () => {
  const { root, questions, write } = await rig(() => ({}));
  const cancel = new AbortController();
  const writing = write(cancel.signal);
  while (questions[0]?.looks === undefined || questions[0].looks < 2)
    await new Promise((resolve) => setTimeout(resolve, 5));
  cancel.abort();
  expect(await writing).toMatch(/abort/i);
  const tools = await openCodeTools({
    root,
    gate: chatGate({ url: "http://127.0.0.1:1", patience: 5_000, interval: 10 }),
    trusting: true,
  });
  const { ok } = await tools.call("write_file", { path: "b.txt", content: "x" }, new AbortController().signal);
  await tools.close();
  expect([ok, existsSync(join(root, "b.txt"))]).toEqual([false, false]);
});
