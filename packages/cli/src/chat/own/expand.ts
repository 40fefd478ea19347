/** What stands in a command's text for what was typed behind its name. */

/**
 * `$ARGUMENTS` is all of it, `$1` to `$9` its words, where quotes hold blanks together. A text without either gets it at
 * its end.
 */
export function expanded(body: string, rest: string): string {
  const words = Array.from(
    rest.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/gu),
    ([, double, single, plain]) => double ?? single ?? plain ?? "",
  );
  const holes = /\$(?:ARGUMENTS\b|([1-9])(?!\d))/gu;
  if (!holes.test(body)) return rest === "" ? body : `${body.trimEnd()}\n\n${rest}\n`;
  return body.replaceAll(holes, (_, number: string | undefined) =>
    number === undefined ? rest : (words[Number(number) - 1] ?? ""),
  );
}
