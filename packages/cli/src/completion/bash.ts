/** Completion for bash, from 3.2 on: without descriptions, which it cannot show. */

import type { CommandSpec, Value } from "./specs.ts";

export function bashScript(commands: readonly CommandSpec[]): string {
  const names = [...commands.map(({ name }) => name), "help"].join(" ");
  return `# Completion of croft for bash. In ~/.bashrc: eval "$(croft completion bash)"
_croft() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD - 1]} command=chat
  local words='' options='' values='' value
  # --option=value comes as three words.
  [[ $prev == = ]] && prev=\${COMP_WORDS[COMP_CWORD - 2]}
  [[ $cur == = ]] && cur=''
  if ((COMP_CWORD > 1)) && [[ \${COMP_WORDS[1]} != -* ]]; then command=\${COMP_WORDS[1]}; fi
  case "$command $prev" in
${valueCases(commands)}
    *)
      case $command in
${commands.map(commandCase).join("\n")}
        help) words='${names}' ;;
      esac
      if ((COMP_CWORD == 1)); then words='${names}' options="$options --help --version" values=''; fi
      ;;
  esac
  if [[ $cur == -* ]]; then words=$options values=''; fi
  local IFS=$'\\n'
  for value in \${values// /$IFS}; do
    case $value in
      session) words+=\${IFS}$(croft sessions -n 50 2> /dev/null | cut -d ' ' -f 1) ;;
      model) words+=\${IFS}$(croft completion models 2> /dev/null) ;;
      tool) words+=\${IFS}$(croft tool 2> /dev/null | cut -d : -f 1) ;;
      file) compopt -o default 2> /dev/null || COMPREPLY+=($(compgen -f -- "$cur")) ;;
      folder) compopt -o dirnames 2> /dev/null || COMPREPLY+=($(compgen -d -- "$cur")) ;;
    esac
  done
  COMPREPLY+=($(compgen -W "\${words// /$IFS}" -- "$cur"))
}
complete -F _croft croft
`;
}

function commandCase({ name, words, options, values }: CommandSpec): string {
  const longs = options.map(({ long }) => `--${long}`).join(" ");
  return `        ${name}) words='${words.join(" ")}' options='${longs}' values='${values.join(" ")}' ;;`;
}

/** Options that something follows, those of one kind together. */
function valueCases(commands: readonly CommandSpec[]): string {
  const cases = new Map<Value, string[]>();
  for (const { name, options } of commands) {
    for (const { long, short, value } of options) {
      if (value === undefined) continue;
      const patterns = [`'${name} --${long}'`, ...(short === undefined ? [] : [`'${name} -${short}'`])];
      cases.set(value, [...(cases.get(value) ?? []), ...patterns]);
    }
  }
  return [...cases].map(([value, patterns]) => `    ${patterns.join(" | ")}) values=${value} ;;`).join("\n");
}
