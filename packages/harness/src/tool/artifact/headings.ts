/** The headings of what was opened as Markdown. */

import type { Artifact } from "../../artifact/artifacts.ts";
import { headingsIn, type Heading } from "../../artifact/markdown.ts";
import { lineBytes } from "../../artifact/page.ts";
import { Failure } from "../../error.ts";

/** In order. Throws E_WRONG_KIND for what was opened as something else. */
export function headingsOf({ kind, id, lines }: Artifact, signal: AbortSignal): AsyncGenerator<Heading> {
  if (kind === "markdown") return headingsIn(lines.from(1, lineBytes, signal));
  throw new Failure("E_WRONG_KIND", `${id} was not opened as Markdown.`, {
    remedy: "Open it with open_markdown_file, and use the id that comes back.",
  });
}
