/** Where a shell text sends output to, and takes input from. */

import type { Word } from "../shell/word.ts";
import type { Variable } from "./variables.ts";

const harmless: ReadonlySet<Word> = new Set(["/dev/null", "/dev/stdout", "/dev/stderr", "/dev/stdin", "/dev/fd/1"]);

/** A lexical view: the enclosure holds all writing within the project and /tmp, whatever is said here. */
export function judgeTarget(target: Word, writes: boolean): Variable {
  if (harmless.has(target)) return { decision: "allow", why: "nothing is kept" };
  if (typeof target === "string" && /^\/dev\/(?:tcp|udp)\//.test(target)) {
    return { decision: "ask", why: "it opens a connection" };
  }
  if (!writes) return { decision: "allow", why: "it only reads" };
  if (typeof target === "string" && leadsOut(target)) {
    return { decision: "ask", why: `it writes to \`${target}\`, outside the project or protected` };
  }
  return { decision: "unlisted", why: "it writes a file" };
}

/** Absolute or upwards, or into what git keeps of the project. */
function leadsOut(target: string): boolean {
  if (/^\/(?:var\/)?tmp\//.test(target) && !target.includes("..")) return false;
  return target.startsWith("/") || target.split("/").some((name) => name === ".." || name.toLowerCase() === ".git");
}
