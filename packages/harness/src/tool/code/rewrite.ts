/** New content for a file that has an encoding and line endings of its own. */

import { Failure } from "../../error.ts";
import { bomSize, encode } from "../../workspace/text/encode.ts";
import { showPath } from "../../workspace/text/show-path.ts";
import { viewOf } from "../../workspace/text/view.ts";
import type { Source } from "../../workspace/workspace.ts";

/** `note`: what was done beyond what was asked, for the model. */
export type Rewritten = { bytes: Uint8Array; note?: string | undefined };

/**
 * The content in the encoding of the file, its byte order mark kept. Where every line of the file ends in CRLF and the
 * content has LF alone, it gets CRLF, and that is noted: line by line is how a model sees such a file. Throws E_BINARY,
 * and E_ENCODING for what the encoding cannot hold or would take for something else.
 */
export function rewritten({ path, bytes }: Source, content: string): Rewritten {
  const { encoding, eol } = viewOf(path, bytes);
  const isForeign = encoding === "bytes" && /[^\0-\x7f]|\\x[0-9A-F]{2}/.test(content);
  if (isForeign || !content.isWellFormed()) throw unwritable(path, isForeign);
  const toCrlf = eol === "crlf" && content.includes("\n") && !content.includes("\r");
  const written = encode(toCrlf ? content.replaceAll("\n", "\r\n") : content, encoding);
  const whole = Buffer.concat([bytes.subarray(0, bomSize(encoding)), written]);
  return toCrlf ? { bytes: whole, note: "written with CRLF line endings, as the file had" } : { bytes: whole };
}

function unwritable(path: string, isForeign: boolean): Failure {
  if (isForeign) {
    return new Failure("E_ENCODING", `${showPath(path)} is not UTF-8, so only ASCII can be written as a whole.`, {
      remedy: "Change the lines that matter with edit_file: it keeps every other byte.",
    });
  }
  return new Failure("E_ENCODING", `The content for ${showPath(path)} has half of a surrogate pair in it.`, {
    remedy: "Send whole characters.",
  });
}
