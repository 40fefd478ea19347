/** Files and folders as a question names them. */

/** `lines`: the part of a file behind `:12` or `:10-20`, as written. */
export type Place = { path: string; lines: { from: number; to: number } | undefined };

export type Places = {
  /** The question without the signs of mentions and without exceptions. */
  asked: string;
  /** The same without the first place. */
  rest: string;
  place: Place | undefined;
  /** The other places, as written. */
  more: readonly string[];
  /** What it wants left out: "outside of tests". */
  except: readonly string[];
};

/** The sign of `@src/a.ts` and of `@src/`, which name what stands behind it; quotes there belong to the path. */
const mention = /(?<![^\s([{])@(?:"([^"\n]+)"|(?=[\w./-]*(?:\.\w|\/)))/gu;

/** What a question leaves out, or a quoted text, which is no part of the question's own words. */
const exception =
  /"[^"\n]*"|(?<!\w)'[^'\n]*'(?!\w)|\b(?:outside(?: of)?|except(?: for| in)?|excluding|but not(?: in)?|not in|other than|apart from)\s+(?:the\s+)?[\w./*-]*[\w/]/gi;

/** The places a question names. What stands in quotes is a text, unless an `@` stands before them. */
export function placesIn(text: string): Places {
  const spelled = text.replace(/[“”]/g, '"').replace(/[‘’]/g, "'").trim();
  const quoted = Array.from(spelled.matchAll(mention), ([, path]) => path).filter((path) => path !== undefined);
  const except = (spelled.match(exception) ?? []).filter((part) => !/^["']/.test(part));
  const asked = spelled
    .replace(exception, (part) => (except.includes(part) ? "" : part))
    .replace(mention, (_, path: string | undefined) => path ?? "");
  const bare = quoted.reduce((left, path) => left.replace(path, " "), asked);
  const found = [...quoted, ...pathsIn(bare)];
  const [first, ...more] = [...new Set(found)];
  return {
    asked,
    rest: first === undefined ? asked : asked.replace(first, " "),
    place: first === undefined ? undefined : placeOf(first),
    more,
    except,
  };
}

function pathsIn(asked: string): string[] {
  const unquoted = asked.replace(/"[^"]*"|(?<!\w)'[^']*'(?!\w)/g, " ");
  return unquoted
    .split(/[\s`"',;?!]+/)
    .map((token) => token.replace(/[.:]+$/, "").replace(/^\((.*)\)$/, "$1"))
    .filter((token) => isPath(placeOf(token).path));
}

/** `a.go:6-8` is that part of a.go. */
export function placeOf(written: string): Place {
  const [, path, from, to = from] = /^(.+?):(\d{1,9})(?:-(\d{1,9}))?$/.exec(written) ?? [];
  return path === undefined
    ? { path: written, lines: undefined }
    : { path, lines: { from: Number(from), to: Number(to) } };
}

/** A folder named in plain words: "what is in src", "list the files in the root folder". */
export function folderIn(asked: string): string | undefined {
  const found =
    /^\W*(?:what(?:'s|\s+is|\s+are|\s+files?\s+are)?|list|show)\b.*?\b(?:in|inside|under)\s+(?:the\s+)?([\w.-]+)(\s+(?:folder|directory))?[?.!\s]*$/i.exec(
      asked,
    )?.[1];
  if (found !== undefined && /^v?\d+(?:\.\d+)*$/i.test(found)) return undefined; // a version
  return found !== undefined && /^(?:root|project|repo|repository|here|this|\.)$/i.test(found) ? "." : found;
}

const fileEndings =
  /\.(?:[cm]?[jt]sx?|pyi?|go|rs|java|c|cc|cpp|cxx|h|hh|hpp|md|json|jsonc|ya?ml|toml|lock|txt|html?|css|scss|sh|bash|sql|xml|ini|cfg|conf|env|pem|key|rb|php|cs|kt|swift|vue|svelte|proto|gradle|mod|sum|csv|svg|log|rst|lua)$/i;

/** Whether a word looks like a path. */
export function isPath(token: string): boolean {
  if (/^\w+:\/\//.test(token) || /[()<>]/.test(token)) return false;
  if (/^(?:Makefile|Dockerfile|LICENSE|README|CHANGELOG|\.{1,2}\/?)$/.test(token)) return true;
  return /^[^/]*\w[^/]*\//.test(token) || /^\.{0,2}\/./.test(token) || /^\.\w/.test(token) || fileEndings.test(token);
}

const endingsOf: Readonly<Record<string, readonly string[]>> = {
  typescript: ["ts", "tsx", "mts", "cts"],
  javascript: ["js", "jsx", "mjs", "cjs"],
  python: ["py", "pyi"],
  rust: ["rs"],
  markdown: ["md"],
  yaml: ["yaml", "yml"],
};

/** A kind of files: "list all go files". `endings` is empty where the word names none. */
export type Kind = { word: string; endings: readonly string[] };

const anyFiles = /^(?:all|the|any|which|what|these|those|other|of|source|many|list|show|find|me|project)$/i;

/** The kind of files that a list is asked of, or undefined where any will do. */
export function kindIn(asked: string): Kind | undefined {
  const word = /([\w.*+#-]+)\s+files\b/i.exec(asked)?.[1];
  if (word === undefined || anyFiles.test(word)) return undefined;
  const ending = word.replace(/^\*?\./, "").toLowerCase();
  const endings = endingsOf[ending] ?? (fileEndings.test(`.${ending}`) ? [ending] : []);
  return { word, endings };
}
