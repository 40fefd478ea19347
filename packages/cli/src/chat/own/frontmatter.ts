/** A Markdown file with a head of YAML between two lines of `---`, as others write commands and skills. */

import { Failure, messageOf } from "@croft/harness";

/** `data`: only the entries that are text, numbers or truth values, as text; what they are called is lower case. */
export type Headed = { data: ReadonlyMap<string, string>; body: string };

const head = /^\uFEFF?---[ \t]*\r?\n(?:(.*?)\r?\n)?---[ \t]*(?:\r?\n|$)/s;

/** A file without a head is all body. Throws E_FRONTMATTER for a head that is no YAML, or no list of entries. */
export async function readHeaded(text: string): Promise<Headed> {
  const [whole, yaml = ""] = head.exec(text) ?? [];
  if (whole === undefined) return { data: new Map(), body: text };
  const { parse } = await import("yaml"); // most files have no head, and most chats none of these files
  const value = parsed(() => parse(yaml, { maxAliasCount: 10, prettyErrors: true }));
  const entries = Object.entries(value).flatMap(([key, entry]) => {
    const isPlain = ["string", "number", "boolean"].includes(typeof entry);
    const shown = isPlain ? String(entry) : Array.isArray(entry) ? entry.map(String).join(", ") : undefined;
    return shown === undefined ? [] : [[key.toLowerCase(), shown] as const];
  });
  return { data: new Map(entries), body: text.slice(whole.length) };
}

function parsed(parse: () => unknown): object {
  try {
    const value = parse() ?? {};
    if (typeof value === "object" && !Array.isArray(value)) return value;
  } catch (cause) {
    const [reason] = messageOf(cause).split("\n");
    throw new Failure("E_FRONTMATTER", `Its head is no YAML: ${reason}`, {
      remedy: "Correct what stands between the lines of ---.",
      cause,
    });
  }
  throw new Failure("E_FRONTMATTER", "Its head is no list of entries.", {
    remedy: "Write it like this: description: What it does",
  });
}
