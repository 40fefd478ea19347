/**
 * Copies of files in memory: each is what it was made as for ever, a change makes another, and nothing of them is in the
 * project before it is saved. What was changed and not saved is known, so that it can be told.
 */

import { randomBytes } from "node:crypto";
import { Failure } from "../error.ts";
import type { Hash } from "../workspace/fence.ts";

/** The file that a copy was made from, as it was then, or was saved as. */
export type Base = { readonly path: string; readonly hash: Hash; readonly mode: number };

/** What a copy is made of. `base` null: it is of no file. */
export type Content = { readonly name: string; readonly bytes: Uint8Array; readonly base: Base | null };

/** One copy in memory. It never changes. */
export interface Media extends Content {
  readonly id: string;
  /** Made of another one, or of nothing, and so in no file unless it was saved. */
  readonly isChanged: boolean;
  /** A copy that is in no file cannot be described to a model as one: throws E_READER_NOT_DESCRIBABLE. */
  toJSON(): { media: string; path: string; hash: Hash };
}

/** The copies of a session, up to 64 MiB together. */
export interface Staging {
  /** A copy as it stands. Throws E_TOO_LARGE. */
  stage(content: Content): Media;
  /** A new text, or another text of a copy. Throws E_TOO_LARGE. */
  change(content: Content, from: Media | undefined): Media;
  /** It has landed there. */
  saved(media: Media, base: Base): void;
  /** Throws E_NO_MEDIA. */
  get(id: string): Media;
  has(id: string): boolean;
  /** Changed, not saved, and the last of their kind. */
  unsaved(): readonly Media[];
}

/** Bytes of all copies; those that were changed further or saved give way. */
const maxBytes = 67_108_864;

type Kept = { media: Media; base: Base | null; isSaved: boolean; isSuperseded: boolean; parent: Kept | undefined };

/** `tag` as in `createArtifacts`. */
export function createStaging(tag: string = randomBytes(2).toString("hex")): Staging {
  const all = new Map<string, Kept>();
  let made = 0;

  function add(content: Content, { isChanged, parent }: { isChanged: boolean; parent?: Kept | undefined }): Media {
    makeRoom(content.bytes.length, parent);
    made += 1;
    const id = `m${made}-${tag}`;
    const media: Media = {
      id,
      name: content.name,
      bytes: content.bytes,
      get base() {
        return kept.base;
      },
      isChanged,
      toJSON() {
        if (kept.base === null || (isChanged && !kept.isSaved)) throw notDescribable(id);
        return { media: id, path: kept.base.path, hash: kept.base.hash };
      },
    };
    const kept: Kept = { media, base: content.base, isSaved: false, isSuperseded: false, parent };
    all.set(id, kept);
    if (parent !== undefined) parent.isSuperseded = true;
    return media;
  }

  /** What is lost when the process ends, and cannot be staged again, stays. */
  function makeRoom(wanted: number, parent: Kept | undefined): void {
    let used = wanted;
    for (const { media } of all.values()) used += media.bytes.length;
    for (const [id, kept] of all) {
      if (used <= maxBytes) return;
      if (kept === parent || isUnsaved(kept)) continue;
      all.delete(id);
      used -= kept.media.bytes.length;
    }
    if (used <= maxBytes) return;
    throw new Failure("E_TOO_LARGE", `Staged copies would take more than ${maxBytes / 1_048_576} MiB.`, {
      remedy: "Save those that are done with save_media, then go on.",
    });
  }

  function keptAs(id: string): Kept {
    const kept = all.get(id);
    if (kept !== undefined) return kept;
    throw new Failure(
      "E_NO_MEDIA",
      `There is no staged copy ${JSON.stringify(id)}, or no longer: they live in memory.`,
      {
        remedy: "Stage the file again, make the change again, and use the id that comes back.",
      },
    );
  }

  return {
    stage: (content) => add(content, { isChanged: false }),
    change: (content, from) =>
      add(content, { isChanged: true, parent: from === undefined ? undefined : keptAs(from.id) }),
    saved(media, base) {
      const kept = keptAs(media.id);
      kept.base = base;
      kept.isSaved = true;
    },
    get: (id) => keptAs(id).media,
    has: (id) => all.has(id),
    unsaved: () => [...all.values()].filter(isUnsaved).map(({ media }) => media),
  };
}

function isUnsaved({ media, isSaved, isSuperseded }: Kept): boolean {
  return media.isChanged && !isSaved && !isSuperseded;
}

function notDescribable(id: string): Failure {
  return new Failure(
    "E_READER_NOT_DESCRIBABLE",
    `${id} is a staged copy, which is in no file: there is nothing of it to open.`,
    { remedy: "Save it with save_media, then open the file that it was saved as." },
  );
}
