/**
 * A workspace in which no secret is seen: every text comes out of it with placeholders, and what is committed gets the
 * secrets back in their place. The gate, undo and the disk have the real bytes, and hashes are of these.
 */

import type { Change, Committed, Hash } from "../workspace/change.ts";
import { diffOf } from "../workspace/text/diff.ts";
import { decode, seenThrough, type Encoding } from "../workspace/text/text.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { LoadRedactor } from "./lazy.ts";
import { hidingFile } from "./held.ts";
import { mayHoldKey } from "./private-key.ts";
import type { Redactor } from "./redactor.ts";
import { rewritten, type Text } from "./rewritten.ts";

/** A text file that a change may be planned upon. `hidden`: its bytes as they were given out, where these are others. */
type Known = { path: string; hash: Hash; encoding: Encoding; hidden: Uint8Array | undefined };

/** A change with the secrets put back, and the text that will land. */
type Revealed = { change: Change; known: Known | undefined; real: Text | undefined };

/** The workspace behind a redactor. `commit` also throws E_SECRET_ELSEWHERE and E_SECRET_UNKNOWN. */
export function hidingWorkspace(workspace: Workspace, load: LoadRedactor): Workspace {
  /** By the path that was asked for, as a change names it. */
  const sources = new Map<string, Known>();

  function knownFor({ path, before }: Change): Known | undefined {
    const known = sources.get(path);
    return known?.hash === before ? known : undefined;
  }

  return {
    async read(path, signal) {
      const view = await workspace.read(path, signal);
      return shown(view, await load());
    },
    async look(path, signal) {
      const view = await workspace.look(path, signal);
      return "text" in view ? shown(view, await load()) : view;
    },
    async open(path, signal) {
      const file = await workspace.open(path, signal);
      return hidingFile(file, await load());
    },
    list: (path, options, signal) => workspace.list(path, options, signal),
    find: (query, signal) => workspace.find(query, signal),
    async *search(query, signal) {
      const redactor = await load();
      const instead = (text: string, path: string): string => redactor.hide(text, path).text;
      yield* workspace.search({ ...query, shown: { instead, needsWhole: mayHoldKey } }, signal);
    },
    async source(path, signal) {
      const source = await workspace.source(path, signal);
      const redactor = await load();
      sources.delete(path);
      const decoded = decode(source.bytes);
      if (decoded === undefined) return source;
      const { encoding } = decoded;
      const { text } = redactor.hide(decoded.text, source.path);
      const hidden = text === decoded.text ? undefined : rewritten(source.bytes, { text, encoding });
      sources.set(path, { path: source.path, hash: source.hash, encoding, hidden });
      return hidden === undefined ? source : { ...source, bytes: hidden };
    },
    async commit(changes, signal) {
      const redactor = await load();
      // A file that is moved takes its secrets with it.
      const gone = changes.flatMap((change) => (change.after === null ? (knownFor(change) ?? []) : []));
      const revealed = changes.map((change) => {
        const known = knownFor(change);
        const from = known === undefined ? gone : [known];
        return reveal(change, known, from, redactor);
      });
      const committed = await workspace.commit(
        revealed.map(({ change }) => change),
        signal,
      );
      for (const { path } of changes) sources.delete(path);
      return Promise.all(committed.map((file, index) => withHiddenDiff(file, revealed[index], redactor)));
    },
  };
}

function shown<View extends { path: string; text: string }>(view: View, redactor: Redactor): View {
  const { text } = redactor.hide(view.text, view.path);
  return text === view.text ? view : { ...view, text };
}

/** Secrets in new bytes are learnt before anybody is shown a diff of them, also those that the model wrote itself. */
function reveal(change: Change, known: Known | undefined, from: readonly Known[], redactor: Redactor): Revealed {
  const { after, path } = change;
  const decoded = after === null ? undefined : textOf(after, from);
  if (after === null || decoded === undefined) return { change, known, real: undefined };
  const { encoding } = decoded;
  const sources = from.map((file) => file.path);
  const text = redactor.reveal(decoded.text, path, sources);
  redactor.hide(text);
  const bytes = text === decoded.text ? after : rewritten(after, { text, encoding });
  return { change: { ...change, after: bytes }, known, real: { text, encoding } };
}

/** Where all that is not UTF-8 is hidden, the rest looks like it; the secrets are still written as they were seen. */
function textOf(bytes: Uint8Array, from: readonly Known[]): Text | undefined {
  const isSeenThrough = from.some(({ encoding }) => encoding === "bytes");
  return isSeenThrough ? { text: seenThrough(bytes), encoding: "bytes" } : decode(bytes);
}

/** The diff of what may be seen: in one of the real bytes a key could stand without the line that tells that it is one. */
async function withHiddenDiff(file: Committed, revealed: Revealed | undefined, redactor: Redactor): Promise<Committed> {
  if (revealed === undefined) return file;
  const { change, known, real } = revealed;
  const text = real === undefined ? undefined : redactor.hide(real.text, file.path).text;
  const isPlain = known?.hidden === undefined && text === real?.text;
  if (isPlain) return file;
  // Before it had none, so whatever tells one stands among the new lines.
  if (change.before !== null && known?.hidden === undefined) return { ...file, diff: redactor.hide(file.diff).text };
  const { after } = change;
  const hidden =
    after === null || real === undefined || text === undefined ? after : rewritten(after, { ...real, text });
  const { diff } = await diffOf(file.path, known?.hidden ?? null, hidden);
  return { ...file, diff };
}
