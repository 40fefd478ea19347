/** A program that walks over every hit of a search and keeps none. */

import { openFence, openWorkspace, policyGate, readOnlyPolicy, ripgrep } from "@croft/harness";

const [root = "", pattern = ""] = process.argv.slice(2);
const fence = openFence(root, readOnlyPolicy());
const workspace = openWorkspace({ fence, gate: policyGate(), search: ripgrep("") });
for await (const hit of workspace.search({ pattern }, new AbortController().signal)) {
  if ("done" in hit && !hit.complete) throw new Error(`The search was not complete: ${hit.skipped}`);
}
fence.close();
