/** What a sandbox is likely to have to do with the failure of a command, in words that name the next step. Data. */

type Hint = readonly [pattern: RegExp, hint: string];

const ofGit: readonly Hint[] = [
  [
    /'[^'\n]*\/\.git\/(?!modules\/)[^'\n]*': Read-only file system/,
    "In the sandbox .git can be written only in a call that is nothing but git commands: make the change first, then call git alone.",
  ],
  [
    /'[^'\n]*\/\.git\/modules\/[^'\n]*': Read-only file system/,
    "In the sandbox what git keeps of submodules is read-only: leave their commits to the user, or say in outside_sandbox why not.",
  ],
  [
    /^error: unable to index file '/m,
    "A file that git cannot read holds secrets and is closed to commands: name the files to add, or let .gitignore name that one.",
  ],
];

const ofNetwork: readonly Hint[] = [
  [
    /\b(?:ENOTFOUND|EAI_AGAIN)\b|could not resolve (?:host|proxy)|name resolution|name or service not known|failed to lookup address|no such host\b|network is unreachable|dns error/i,
    "In the sandbox only hosts that were named can be reached: name the exact ones in hosts, or ask the user for --allow-network.",
  ],
];

/** Empty where nothing is recognised. */
export function hintsIn(output: string): string[] {
  return matching([...ofGit, ...ofNetwork], output);
}

/** Whether git was refused something by the sandbox. */
export function isGitRefused(output: string): boolean {
  return matching(ofGit, output).length > 0;
}

function matching(hints: readonly Hint[], output: string): string[] {
  return hints.flatMap(([pattern, hint]) => (pattern.test(output) ? [hint] : []));
}
