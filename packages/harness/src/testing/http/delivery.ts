/** How an answer gets onto the wire, as a script has it: late, in pieces, broken off, or not as a stream at all. */

/** How a stream arrives. */
export type Delivery = {
  /** Milliseconds before the first byte, and between events. */
  delayMs?: number | undefined;
  paceMs?: number | undefined;
  /** Bytes a write. Default: all at once. */
  chunk?: number | undefined;
  /** After so many bytes of the stream the connection is reset, ended as if all were well, or falls silent. */
  broken?: { at: number; how: "reset" | "end" | "silence" } | undefined;
};

/** An answer that is no stream. */
export type PlainAnswer = { status: number; headers: Readonly<Record<string, string>>; body: string };

/** A page instead of an answer, as proxies and login portals send it. */
export function html(status: number, title: string): PlainAnswer {
  const body = `<!DOCTYPE html><html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`;
  return { status, headers: { "content-type": "text/html" }, body };
}

/** Text as it drops in, a few characters at a time, never half a character. */
export function pieces(text: string): string[] {
  const characters = Array.from(text);
  const count = Math.ceil(characters.length / 12);
  return Array.from({ length: count }, (_, index) => characters.slice(index * 12, index * 12 + 12).join(""));
}
