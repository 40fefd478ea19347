/** A program like one that embeds the harness: a question to a model behind the Chat Completions API. */

import { chatCompletions, openAsk, openLog, policyGate } from "@croft/harness";

const [baseUrl = "", root = "", question = "", steps = "1", file] = process.argv.slice(2);
const session = openLog({ id: "bench", file });
const asking = openAsk({
  root,
  session,
  gate: policyGate(),
  model: chatCompletions({ provider: "test", model: "test", baseUrl }),
  budget: { steps: Number(steps), tokens: 100_000_000 },
  emit: () => {},
});
const { status } = await asking.ask(question, new AbortController().signal);
await asking.close();
session.close();
if (status !== "done") throw new Error(`The run ended with ${status}.`);
