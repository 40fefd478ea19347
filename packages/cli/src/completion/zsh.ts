/** Completion for zsh, sourced or as a file `_croft` in its fpath. */

import type { CommandSpec, OptionSpec, Value } from "./specs.ts";

const actions: Readonly<Record<Value, string>> = {
  file: "_files",
  folder: "_files -/",
  session: "_croft_sessions",
  model: "_croft_models",
  tool: "_croft_tools",
  text: " ",
};

export function zshScript(commands: readonly CommandSpec[]): string {
  const named = [
    ...commands.map(({ name, says }) => described(name, says)),
    described("help", "the options of a command"),
  ];
  return `#compdef croft
# Completion of croft for zsh. In ~/.zshrc, below compinit: eval "$(croft completion zsh)"
_croft_commands() {
  local -a commands=(
    ${named.join("\n    ")}
  )
  _describe command commands
}
_croft_sessions() {
  local line
  local -a sessions
  for line in \${(f)"$(croft sessions -n 50 2> /dev/null)"}; do
    sessions+=("\${line%% *}:\${line#*  }")
  done
  _describe -V session sessions
}
_croft_models() {
  local -a models=(\${(f)"$(croft completion models 2> /dev/null)"})
  compadd -a models
}
_croft_tools() {
  local -a tools=(\${(f)"$(croft tool 2> /dev/null)"})
  _describe tool tools
}
_croft() {
  local command=chat
  if ((CURRENT == 2)) && [[ $PREFIX != -* ]]; then
    _croft_commands
    return
  fi
  if ((CURRENT > 2)) && [[ $words[2] != -* ]]; then
    command=$words[2]
    shift words
    ((CURRENT--))
  fi
  case $command in
${commands.map(commandCase).join("\n")}
    help) _croft_commands ;;
  esac
}
if [[ $funcstack[1] == _croft ]]; then _croft "$@"; else compdef _croft croft; fi
`;
}

function commandCase({ name, options, words, values }: CommandSpec): string {
  const actionsOf = [
    ...(words.length === 0 ? [] : [`compadd ${words.join(" ")}`]),
    ...values.map((value) => actions[value]),
  ];
  const all = actionsOf.length === 1 ? actionsOf[0] : `{${actionsOf.join("; ")}}`;
  const specs = [
    ...options.map(optionSpec),
    ...(name === "chat" ? ["'--version[the version]'"] : []),
    "'--help[what it does, and its options]'",
    ...(actionsOf.length === 0 ? [] : [quoted(`*:argument:${all}`)]),
  ];
  return `    ${name})
      _arguments -s -S \\
        ${specs.join(" \\\n        ")}
      ;;`;
}

/** `(-C --dir)'{-C,--dir}'[the project]:dir:_files -/'`: once, by either name. */
function optionSpec({ long, short, value, says }: OptionSpec): string {
  const rest = `[${says.replaceAll(/[[\]:\\]/g, "\\$&")}]${value === undefined ? "" : `:${value}:${actions[value]}`}`;
  if (short === undefined) return quoted(`--${long}${rest}`);
  return `${quoted(`(-${short} --${long})`)}{-${short},--${long}}${quoted(rest)}`;
}

function described(name: string, says: string): string {
  return quoted(`${name}:${says.replaceAll("\\", "\\\\")}`);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
