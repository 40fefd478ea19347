import { expect, test } from "vitest";
import { openLog } from "../session/log.ts";
import { readPast } from "../session/past.ts";
import type { MessagesServer } from "../testing/messages-server/messages-server.ts";
import { call, httpError, reply, say, type ServerReply } from "../testing/messages-server/script.ts";
import { openAsking, type Opened } from "./asking.testing.ts";
import { again, makeFolder, traceBeside } from "./replay/recorder.testing.ts";

const never = new AbortController().signal;
const long = { "long.txt": "0123456789 abcdefghij\n".repeat(400) };
const looks: ServerReply[] = [1, 2, 3].map((n) => call("read_file", { path: "long.txt", limit: 390 + n }, `t${n}`));
const price = { input: 1, cacheRead: 1, cacheWrite: 1, output: 1 };

type Rig = Opened & { trace: string };

async function rig(script: readonly ServerReply[]): Promise<Rig> {
  const root = makeFolder(long);
  const trace = traceBeside(root);
  const session = openLog({ id: "s1", file: trace });
  return { ...(await openAsking(root, script, { session, price, retry: { attempts: 1 } })), trace };
}

const textIn = (server: MessagesServer, request: number): string =>
  JSON.stringify(server.requests[request - 1]?.body.messages);

test("notes take the place of what was said, though there is room; cost, log and replay know it", async () => {
  const usage = { input: 100, cacheRead: 10, cacheWrite: 1, output: 7 };
  const notes = reply(say("Known: the file is long."), { usage });
  const { asking, server, events, trace } = await rig([...looks, say("Long."), notes, say("At the end.")]);
  await asking.ask("How long is long.txt?", never);
  const before = events.length;
  const made = await asking.compact(never);
  expect(made).toEqual({
    kind: "made room",
    tokens: { before: expect.any(Number), after: expect.any(Number) },
    dollars: expect.closeTo(118 / 1_000_000, 12),
  });
  const { tokens } = made.kind === "made room" ? made : { tokens: { before: 0, after: 0 } };
  expect(tokens.after).toBeLessThan(tokens.before / 2);
  expect(events.slice(before).filter(({ type }) => type !== "delta")).toMatchObject([
    { type: "compaction", notes: "Known: the file is long.", replaced: { upTo: expect.any(Number) } },
  ]);
  await asking.ask("And where does it end?", never);
  expect(textIn(server, 6)).toContain("Known: the file is long.");
  expect(textIn(server, 6)).toContain("How long is long.txt?");
  expect(textIn(server, 6).length).toBeLessThan(textIn(server, 5).length / 2);
  const frames = server.requests.map(({ body }) => JSON.stringify([body.system, body.tools]));
  expect(new Set(frames).size).toBe(1);

  const past = await readPast(trace);
  const requests = events.flatMap((event) => (event.type === "step" || event.type === "compaction" ? [event] : []));
  const dollars = requests.reduce((sum, event) => sum + (event.dollars ?? Number.NaN), 0);
  expect(past.spent).toEqual({ turns: 2, dollars: expect.closeTo(dollars, 12) });
  expect(JSON.stringify(past.messages[0])).toContain("Known: the file is long.");
  const { same, differences, turns } = await again(trace);
  expect({ same, differences, turns }).toEqual({ same: true, differences: [], turns: 2 });
});

test("where little was said there is nothing to do, and nothing is asked", async () => {
  const { asking, server } = await rig([say("Hello.")]);
  expect(await asking.compact(never)).toEqual({ kind: "nothing", dollars: 0 });
  await asking.ask("Hello?", never);
  expect(await asking.compact(never)).toEqual({ kind: "nothing", dollars: 0 });
  expect(server.requests).toHaveLength(1);
});

test("a service that fails is told, and the session goes on as it was", async () => {
  const { asking, server, trace } = await rig([...looks, say("Long."), httpError(500, "down"), say("Still long.")]);
  await asking.ask("How long is long.txt?", never);
  expect(await asking.compact(never)).toMatchObject({ kind: "failed", failure: { code: "E_SERVER" } });
  expect((await asking.ask("And now?", never)).answer).toBe("Still long.");
  expect(textIn(server, 6)).toContain("0123456789");
  expect((await again(trace)).differences).toEqual([]);
});

test("cancelled, it leaves the session as it was", async () => {
  const cancel = new AbortController();
  cancel.abort();
  const { asking, trace } = await rig([...looks, say("Long."), say("Never asked.")]);
  await asking.ask("How long is long.txt?", never);
  expect(await asking.compact(cancel.signal)).toMatchObject({ kind: "cancelled" });
  expect((await readPast(trace)).messages).toHaveLength(8);
});
