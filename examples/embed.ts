/** The library in one screen: ask a question about a folder, watch what happens, read the answer. No key needed. */

import { offline, openAsk, openLog, policyGate, type TurnResult } from "@croft/harness";

/** Asks with the rule-based model; `say` hears each tool call and each citation as it happens. */
export async function askAbout(root: string, question: string, say: (line: string) => void): Promise<TurnResult> {
  const session = openLog({ id: "example" });
  const asking = openAsk({
    root,
    model: offline(),
    // Nobody is asked here: what the policy leaves open is refused. There is no default gate.
    gate: policyGate(),
    session,
    budget: { steps: 8, ms: 30_000 },
    emit(event) {
      if (event.type === "tool_call") say(`call ${event.name}`);
      if (event.type === "citation") say(`${event.state} ${event.ref}`);
    },
  });
  try {
    return await asking.ask(question, AbortSignal.timeout(60_000));
  } finally {
    await asking.close();
    session.close();
  }
}

// From a shell: npx node examples/embed.ts <folder> "<question>"
if (import.meta.main) {
  const [root = ".", question = "Where is main defined?"] = process.argv.slice(2);
  const { answer } = await askAbout(root, question, (line) => process.stderr.write(`${line}\n`));
  process.stdout.write(`${answer}\n`);
}
