/** The ask assembly on a tree on disk, in front of a strict server, for tests. */

import { expect, onTestFinished } from "vitest";
import type { Event } from "../event.ts";
import { policyGate } from "../gate/rules.ts";
import { anthropic } from "../model/anthropic.ts";
import { openLog } from "../session/log.ts";
import type { Session } from "../session/session.ts";
import { startMessagesServer, type MessagesServer } from "../testing/messages-server/messages-server.ts";
import type { Surface } from "../testing/messages-server/request.ts";
import type { ServerScript } from "../testing/messages-server/script.ts";
import { plantTree, type Planted } from "../workspace/tree.testing.ts";
import type { Attachments } from "./attachments.ts";
import { openAsk, type Asking } from "./ask.ts";
import type { TurnOptions } from "./turns.ts";

export type Rig = {
  root: string;
  server: MessagesServer;
  events: Event[];
  ask: (question: string, attachments?: Attachments) => ReturnType<Asking["ask"]>;
  /** What was sent, each request as JSON. */
  sent: () => string[];
};

export type RigOptions = {
  files: Readonly<Record<string, Planted>>;
  script: ServerScript;
  /** The folder to ask about, from where the files are planted. */
  project?: string | undefined;
  /** Default: anthropic. A compatible server has a model of its own. */
  surface?: Surface | undefined;
  ask?: Partial<TurnOptions> | undefined;
};

const names: Readonly<Record<Surface, string>> = { anthropic: "claude-opus-5-5", compatible: "local" };

export type Opened = { asking: Asking; server: MessagesServer; session: Session; events: Event[] };

/** Opens a folder for questions. All of it is closed when the test is over, and by then the server has refused nothing. */
export async function openAsking(
  root: string,
  script: ServerScript,
  options: Partial<TurnOptions> = {},
): Promise<Opened> {
  const server = await startMessagesServer({ script });
  const { session = openLog({ id: "test" }), ...more } = options;
  const events: Event[] = [];
  const asking = openAsk({
    root,
    gate: policyGate(),
    model: anthropic({ model: names.anthropic, apiKey: "test-key", baseUrl: server.url }),
    session,
    emit: (event) => events.push(event),
    ...more,
  });
  onTestFinished(async () => {
    await asking.close();
    session.close();
    await server.close();
    expect(server.rejections).toEqual([]);
  });
  return { asking, server, session, events };
}

/** Gone when the test is over. */
export async function rig({ files, script, project = ".", surface = "anthropic", ask = {} }: RigOptions): Promise<Rig> {
  const tree = plantTree(files);
  onTestFinished(tree.remove);
  const server = await startMessagesServer({ script, surface, models: [names[surface]] });
  onTestFinished(() => server.close());
  const events: Event[] = [];
  const root = `${tree.root}/${project}`;
  const asking = openAsk({
    root,
    gate: policyGate(),
    model: anthropic({ model: names[surface], apiKey: "test-key", baseUrl: server.url }),
    session: openLog({ id: "test", onError: () => undefined }),
    emit: (event) => events.push(event),
    ...ask,
  });
  onTestFinished(() => asking.close());
  return {
    root,
    server,
    events,
    ask: (question, attachments) => asking.ask(question, new AbortController().signal, attachments),
    sent: () => server.requests.map(({ body }) => JSON.stringify(body)),
  };
}
