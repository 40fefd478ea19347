/**
 * What can be completed, read from the help of the commands: what a shell offers is what people are told. That the help
 * tells of every option there is, a test holds against the parsers.
 */

/** What stands in a place of the command line. */
export type Value = "file" | "folder" | "session" | "model" | "tool" | "text";

export type OptionSpec = {
  long: string;
  short?: string | undefined;
  /** What follows it; undefined: nothing does. */
  value: Value | undefined;
  says: string;
  /** The word behind the command without which it does not stand: its line begins with `with prune:`. */
  only?: string | undefined;
};

export type CommandSpec = {
  name: string;
  says: string;
  options: readonly OptionSpec[];
  /** Words that may stand first behind the command. */
  words: readonly string[];
  /** What else may stand there. */
  values: readonly Value[];
};

/** Placeholders that stand for something a shell can find; all others for text. */
const placeholders: ReadonlyMap<string, Value> = new Map([
  ["dir", "folder"],
  ["file", "file"],
  ["path", "file"],
  ["trace", "file"],
  ["id", "session"],
  ["model", "model"],
  ["tool", "tool"],
]);

/** `helps`: the help of each command by its name. */
export function commandSpecs(helps: ReadonlyMap<string, string>): readonly CommandSpec[] {
  const commands = [...helps].map(([name, help]) => commandIn(name, help));
  const known = commands.flatMap(({ options }) => options).filter(({ says }) => !refers(says));
  return commands.map((command) => ({ ...command, options: command.options.map((option) => resolved(option, known)) }));
}

function commandIn(name: string, help: string): CommandSpec {
  const [usage = "", prose = ""] = help.split("\n\n");
  const forms = usage.split("\n").filter((line) => line.startsWith(`croft ${name} `));
  const args = forms.map((form) => form.slice(`croft ${name} `.length).split(/ {2,}/, 1)[0] ?? "");
  const words = args.flatMap((form) => /^[a-z][a-z|]*(?= |$)/.exec(form)?.[0].split("|") ?? []);
  const names = args.flatMap((form) => [...form.matchAll(/[<[]([a-z]+)[>\]]/g)].map((found) => found[1] ?? ""));
  const values = names.flatMap((each) => placeholders.get(each) ?? []);
  const described = / {2,}(.*)$/.exec(forms[0] ?? "")?.[1];
  return {
    name,
    says: sentenceOf(described ?? prose),
    options: help.split("\n").flatMap(optionsOn),
    words: [...new Set(words)],
    values: [...new Set(values)],
  };
}

/** A line may tell of several options. */
function optionsOn(line: string): OptionSpec[] {
  const head = String.raw`(?:-\w, )?--[\w-]+(?: <[^>]+>)?`;
  const [, heads = "", says = ""] = new RegExp(`^ {2,6}(${head}(?:, ${head})*) +(.*)$`).exec(line) ?? [];
  const [all = "", only] = /^with (\w+): /.exec(says) ?? [];
  return [...heads.matchAll(/(?:-(\w), )?--([\w-]+)(?: <([^>]+)>)?/g)].map(([, short, long = "", named]) => ({
    long,
    short,
    value: named === undefined ? undefined : (placeholders.get(named) ?? "text"),
    says: sentenceOf(says.slice(all.length)),
    ...(only !== undefined && { only }),
  }));
}

/** Said of options that another command tells more of. */
function refers(says: string): boolean {
  return /\bas croft \w+/.test(says);
}

function resolved(option: OptionSpec, known: readonly OptionSpec[]): OptionSpec {
  if (!refers(option.says)) return option;
  const other = known.find(({ long }) => long === option.long);
  return other === undefined ? option : { ...other, short: option.short ?? other.short };
}

/** Characters of a description. */
const most = 76;

/** What comes before a full stop, a colon, a semicolon or a parenthesis, cut where it is long. */
function sentenceOf(text: string): string {
  const [sentence = ""] = text.replaceAll("\n", " ").split(/[.:;](?: |$)| \(/, 1);
  if (sentence.length <= most) return sentence;
  return `${sentence.slice(0, most).replace(/[ ,]+\S*$/, "")} …`;
}
