/** Lets Node import a Markdown file as text, as the bundler does. */

import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";

registerHooks({
  load(url, context, nextLoad) {
    if (!url.endsWith(".md")) return nextLoad(url, context);
    const source = `export default ${JSON.stringify(readFileSync(new URL(url), "utf8"))}`;
    return { format: "module", source, shortCircuit: true };
  },
});
