/** A process that makes calls of the artifact tools, for its memory: `root name input…`, `ID` standing for what the first opened. */

import { openArtifactTools, policyGate } from "@croft/harness";

const [root = ".", ...words] = process.argv.slice(2);
const tools = await openArtifactTools({ root, gate: policyGate() });
let opened = "";
for (let at = 0; at < words.length; at += 2) {
  const [name = "", input = "{}"] = words.slice(at, at + 2);
  const { ok, content } = await tools.call(name, JSON.parse(input.replace("ID", opened)), new AbortController().signal);
  const text = content.map((block) => (block.type === "text" ? block.text : "")).join("\n");
  if (!ok) throw new Error(text);
  if (opened === "") opened = text.slice(0, text.indexOf(":"));
}
await tools.close();
