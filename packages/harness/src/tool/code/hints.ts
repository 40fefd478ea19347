/** What a sandbox is likely to have to do with the failure of a command, in words that name the next step. Data. */

const hints: readonly (readonly [pattern: RegExp, hint: string])[] = [
  [
    /'[^'\n]*\/\.git\/[^'\n]*': Read-only file system/,
    "In the sandbox .git can be written only in a call that is nothing but git commands: make the change first, then call git alone.",
  ],
  [
    /^error: unable to index file '/m,
    "A file that git cannot read holds secrets and is closed to commands: name the files to add, or let .gitignore name that one.",
  ],
];

/** Empty where nothing is recognised. */
export function hintsIn(output: string): string[] {
  return hints.flatMap(([pattern, hint]) => (pattern.test(output) ? [hint] : []));
}
