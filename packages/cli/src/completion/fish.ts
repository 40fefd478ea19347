/** Completion for fish, with descriptions. */

import type { CommandSpec, OptionSpec, Value } from "./specs.ts";

/** `-x`: nothing but these; `-r -F`: a file. */
const sources: Readonly<Record<Value, string>> = {
  file: "-r -F",
  folder: "-x -a '(__fish_complete_directories)'",
  session: "-x -a '(__croft_sessions)'",
  model: "-x -a '(croft completion models 2> /dev/null)'",
  tool: "-x -a '(__croft_tools)'",
  text: "-x",
};

export function fishScript(commands: readonly CommandSpec[]): string {
  return `# Completion of croft for fish. In ~/.config/fish/completions/croft.fish: croft completion fish | source
function __croft_command
    set -l words (commandline -opc)
    if test (count $words) -gt 1; and not string match -q -- '-*' $words[2]
        echo $words[2]
    else
        echo chat
    end
end
function __croft_first
    test (count (commandline -opc)) -eq 1
end
function __croft_sessions
    croft sessions -n 50 2> /dev/null | string replace -r '^(\\S+)\\s+' '$1\\t'
end
function __croft_tools
    croft tool 2> /dev/null | string replace -r '^([^:]+): ' '$1\\t'
end
complete -c croft -f
complete -c croft -n __croft_first -l version -d 'the version'
complete -c croft -l help -s h -d 'what it does, and its options'
${commands.map(commandLines).join("\n")}
complete -c croft -n __croft_first -a help -d 'the options of a command'
complete -c croft -n 'test (__croft_command) = help' -a '${commands.map(({ name }) => name).join(" ")}'
`;
}

function commandLines({ name, says, options, words, values }: CommandSpec): string {
  const within = `complete -c croft -n 'test (__croft_command) = ${name}; and not __croft_first'`;
  const inOptions = name === "chat" ? "complete -c croft -n 'test (__croft_command) = chat'" : within;
  return [
    `complete -c croft -n __croft_first -a ${name} -d ${quoted(says)}`,
    ...options.map((option) => `${inOptions} ${optionOf(option)}`),
    ...(words.length === 0 ? [] : [`${within} -a '${words.join(" ")}'`]),
    ...values
      .filter((value) => value !== "text")
      .map((value) => `${within} ${sources[value].replace("-r -F", "-F").replace("-x ", "")}`),
  ].join("\n");
}

function optionOf({ long, short, value, says }: OptionSpec): string {
  const names = short === undefined ? `-l ${long}` : `-l ${long} -s ${short}`;
  return `${names} ${value === undefined ? "" : `${sources[value]} `}-d ${quoted(says)}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll(/['\\]/g, String.raw`\$&`)}'`;
}
