/** Shell texts made at random around commands that matter. */

import fc from "fast-check";

/** `command` spelt, wrapped and embedded in ways that still run it, or seem to. */
export function disguised(command: readonly string[]): fc.Arbitrary<string> {
  const spelt = fc.tuple(...command.map(spellings)).map((words) => words.join(" "));
  return fc
    .tuple(spelt, fc.array(fc.oneof(fc.constantFrom(...wrappers), fc.constantFrom(...places)), { maxLength: 4 }))
    .map(([line, layers]) => layers.reduce((inner, layer) => layer(inner), line));
}

/** Programs that run others, with options that are right or wrong, behind input that names a command. */
export function optioned(): fc.Arbitrary<string> {
  const words = fc.array(fc.constantFrom(...options.split("·")), { maxLength: 4 });
  return fc
    .tuple(
      fc.constantFrom("push", "rm", "rm a"),
      fc.constantFrom(...launchers.split("·")),
      words,
      fc.constantFrom(...launched),
    )
    .map(([input, launcher, words, command]) => `echo '${input}' | ${[launcher, ...words, command].join(" ")}`);
}

/** What shells read, in any order: much of it is no shell text at all. */
export function soup(): fc.Arbitrary<string> {
  return fc.array(fc.constantFrom(...tokens), { minLength: 1, maxLength: 14 }).map((parts) => parts.join(""));
}

type Layer = (line: string) => string;

/** Of one word. */
function spellings(word: string): fc.Arbitrary<string> {
  const middle = Math.ceil(word.length / 2);
  const [start, end] = [word.slice(0, middle), word.slice(middle)];
  const hex = Array.from(word, (char) => `\\x${char.charCodeAt(0).toString(16)}`).join("");
  const quotes = [`'${word}'`, `"${word}"`, `${start}''${end}`, `"${start}"'${end}'`, `$'${hex}'`, `$'${start}'${end}`];
  const escapes = [
    `${start}\\\n${end}`,
    `${start}\\${end}`,
    `{${word},}`,
    `${start}$none${end}`,
    `${start}"$none"${end}`,
  ];
  const expansions = [`$(echo ${word})`, `"$(echo ${word})"`, `\`echo ${word}\``, `\${none:-${word}}`];
  return fc.constantFrom(word, word, word, ...quotes, ...escapes, ...expansions);
}

const launchers =
  "env·xargs·timeout·nice·nohup·stdbuf·bash·sh·command·builtin command·\\time·xargs env·env xargs·env bash";

const options =
  "-n·1·-n1·-I·{}·-I{}·-IX·-i·-i{}·--replace·-0·-t·-r·-a·-d·push·-d push·-E·-E rm·-L1·-x·--null·--·-·+e·-u·-uX·X·-C·.·" +
  "-S·-v·5·-k·-k1·-s·KILL·--signal=KILL·--foreground·X=1·-c·-l·-lc·-ec·-o·pipefail·-eo·-s·-p·-V·-oL·-o0·--adjustment=1·-5";

const launched = ["rm a", "git push", "git {}", "git X", "{} a", "X a", "'rm a'", "'git push'", "'git {}'", "git", ""];

const prefixes =
  "env·env X=1·env -u X·nohup·nice·nice -n 5·timeout 5·timeout -k 1 5·command·xargs·stdbuf -oL·X=1·! ·time·exec·" +
  "builtin command·env nice timeout 5·xargs -n1 env·eval";

const wrappers: readonly Layer[] = prefixes.split("·").map(
  (wrapper): Layer =>
    (line) =>
      `${wrapper} ${line}`,
);

const places: readonly Layer[] = [
  (line) => `echo a; ${line}`,
  (line) => `true && ${line}`,
  (line) => `false || ${line}`,
  (line) => `echo a | ${line}`,
  (line) => `echo a & ${line}`,
  (line) => `echo a\n${line}`,
  (line) => `# a\n${line}`,
  // With its line break, lest it takes what comes behind it, `; then :; fi`, for a part of itself.
  (line) => `${line} # b\n`,
  (line) => `${line} > out 2>&1`,
  (line) => `( ${line})`,
  (line) => `{ ${line}; }`,
  (line) => `if ${line}; then :; fi`,
  (line) => `if false; then :; else ${line}\nfi`,
  (line) => `for i in 1 2; do ${line}\ndone`,
  (line) => `case a in a) ${line} ;; esac`,
  (line) => `f() { ${line}\n}; f`,
  // With a blank, lest `$((` begins arithmetic.
  (line) => `echo $( ${line})`,
  (line) => `echo "$( ${line})"`,
  (line) => `x=$( ${line})`,
  (line) => `echo \${none:-$( ${line})}`,
  (line) => `cat <( ${line})`,
  (line) => `cat <<E\n$( ${line})\nE`,
  (line) => `[[ -n $( ${line}) ]]`,
  (line) => `echo $(( $( ${line}) ))`,
  (line) => `sh -c ${quoted(line)}`,
  (line) => `bash -c ${quoted(line)}`,
  (line) => `bash -ec ${quoted(line)} name`,
  (line) => `eval ${quoted(line)}`,
  (line) => `bash <<< ${quoted(line)}`,
  (line) => `echo ${quoted(line)} | sh`,
  (line) => `X=${quoted(line)}; $X`,
  (line) => `X=${quoted(line)}; eval "$X"`,
  (line) => `trap ${quoted(line)} EXIT`,
];

function quoted(line: string): string {
  return `'${line.replaceAll("'", String.raw`'\''`)}'`;
}

const tokens: readonly string[] = (
  "rm·rm a·git push·git·push·echo·touch b·a·X=1·$X·env·sh -c ·E·if·then·fi·for i in a·do·done·case a in a·esac·{·}·(·)·" +
  "[[·]]·((·))·function f· · · ·\n·\t·;·;;·&·&&·|·||·|&·!·!(·#·'·\"·\\·`·$(·${·$((·$'·$\"·$[·<·>·>>·<<E\n·<<'E'\n·<<-E\n·" +
  "\nE\n·<<<·<(·>&·2>·&>·*·?·[a]·{a,b}·~·=·:-·@·x=(·\r·\u00a0·time·coproc·--·-c·+"
).split("·");
