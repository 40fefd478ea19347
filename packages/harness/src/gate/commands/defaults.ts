/** The rules there are before a user sets any: data, each of which a rule of the user's can override. */

import { ruleOf, type CommandRule } from "./rule.ts";

/** They read, or run what the project has for testing and building. Only an enclosure makes them safe to run unasked. */
const allow = lines`
  git status|diff|log|show|blame|annotate|shortlog|describe|grep|rev-parse|rev-list|merge-base|name-rev|cherry
  git ls-files|ls-tree|cat-file|show-ref|for-each-ref|diff-tree|diff-index|diff-files|count-objects|check-ignore|var
  git branch --list|--show-current|--all|--remotes|-a|-r|-v|-vv|-av|--contains|--merged|--no-merged
  git tag --list|-l
  git stash list|show
  git config --get|--get-all|--get-regexp|--list|-l
  git remote get-url
  git worktree|notes list
  git reflog show
  git submodule status
  npm|pnpm|yarn|bun test
  npm t|ls|list
  npm|pnpm|yarn|bun run lint|lint:check|lint:ci|typecheck|type-check|types|tsc|build|coverage|format:check|fmt:check
  npm|pnpm|yarn|bun run test|test:unit|test:integration|test:types|test:ci|check|check:static|check:types
  npm run-script lint|typecheck|test|build|check
  pnpm|yarn lint|typecheck|type-check|build|check
  node --test
  tsc --noEmit
  pytest
  python|python3 -m pytest|unittest
  cargo test|check|build|clippy|doc|tree|metadata
  cargo fmt --check
  go test|vet|build|list|version|doc
  ls|cat|head|tail|wc|grep|egrep|fgrep|rg|find|sort|cut|tr|diff|cmp|comm|stat|file|du|df|pwd|echo|printf|true|false
  test|[|:|basename|dirname|date|which|type|nl|tac|rev|fold|paste|seq|sleep|realpath|readlink|tree|jq|column|expand
  md5sum|sha1sum|sha256sum|id|whoami|uname|nproc|printenv|strings|od|hexdump
  cd|pushd|popd|exit|return|break|continue|shift|wait|read|export
  command -v|-V
`;

/** With anything behind them they would do more. */
const allowExactly = lines`
  git branch|tag|remote|reflog
  git remote -v
  git|node|npm|pnpm|yarn|bun|python|python3|pip|cargo|rustc|go|tsc|make|gcc|java|ruby|rg|bash --version
  node|npm -v
  make test|check|lint
  uniq|env|xargs|set
  uniq -c|-d|-u|-i
  set -e|-u|-x|-eu|-ex|-eux|-ue
  set -o pipefail
  set -eo|-euo|-exo|-euxo|-uo pipefail
`;

/** Options by which programs of the list above run others: what is hidden so is a question. */
const running = lines`
  git log|diff|show|blame|shortlog|grep|cat-file|diff-tree|diff-index|diff-files|rev-list|annotate --ext-diff|--textconv
  git stash show --ext-diff|--textconv
  git cat-file --filters
  git grep -O|--open-files-in-pager
  git fetch|pull|clone|ls-remote|fetch-pack --upload-pack
  git push|send-pack|archive --receive-pack|--exec
  npm|pnpm|yarn --script-shell|--node-options|--userconfig|--globalconfig|--shell
  node -e|-p|-r|--eval|--print|--require|--import|--loader|--experimental-loader
  cargo --config
  go -exec|-toolexec|-vettool|-overlay
  sort --compress-program
  rg --pre|--pre-glob|--hostname-bin
`;

/** Options by which they write, or change what is tested. */
const writing = lines`
  git log|diff|show|shortlog|diff-tree|diff-index|diff-files|rev-list|grep --output
  git stash show --output
  git branch -c|-C|-m|-u|--copy|--move|--set-upstream-to|--unset-upstream|--edit-description
  git notes add|edit|remove
  go env -w
  npm|pnpm|yarn|bun --fix|--write
  cargo clippy --fix
  cargo -Z
  tsc --noEmit false
  find -exec|-execdir|-fprint|-fprint0|-fprintf|-fls
  rg -z|--search-zip
  sort -o|--output
  tree -o
  file -C|--compile
  date -s|--set
  test|[ -v
  wait -p
`;

/** They delete, leave the machine, reach for rights, rewrite history or change what the shell will do later. */
const ask = lines`
  rm|rmdir|unlink|shred|truncate|dd|mkfs*|fdisk|parted|wipefs
  sudo|su|doas|pkexec|runuser|chmod|chown|chgrp|mount|umount|chroot|unshare|nsenter|bwrap|setpriv
  curl|wget|ssh|scp|sftp|rsync|nc|ncat|netcat|socat|telnet|ftp|lftp|aria2c
  docker|podman|nerdctl|kubectl|helm|terraform|tofu|ansible*|aws|gcloud|az|gh|glab|heroku|vercel|netlify|flyctl
  systemctl|service|systemd-run|crontab|at|batch|kill|pkill|killall|reboot|shutdown|halt|poweroff|iptables|passwd
  flock|strace|ltrace|gdb|script|screen|tmux|expect|parallel
  npx|bunx|pnpx|uvx|pipx
  make SHELL=|.SHELLFLAGS=|MAKEFLAGS=|--eval
  npm|pnpm|yarn exec|x|dlx|create|init|publish|unpublish|login|logout|adduser|deprecate|owner|access|token|dist-tag
  bun x|create|publish
  yarn npm publish|login
  cargo|poetry|gem|twine|mvn|uv publish|push|upload|deploy|yank|owner|login
  git push|send-pack|reset|clean|checkout|restore|rebase|filter-branch|filter-repo|gc|prune|rm|config|remote|submodule
  git remote add|remove|rm|rename|set-url|set-head|set-branches|prune|update
  git update-ref|symbolic-ref|replace|difftool|mergetool|instaweb|send-email|daemon|svn|p4|credential
  git stash drop|clear
  git branch -D|-d|-M|-f|--delete|--force
  git tag -d|-f|--delete|--force
  git switch -f|-C|--force|--force-create|--discard-changes
  git reflog delete|expire
  git worktree remove|prune|move
  git bisect run
  find -delete|-ok|-okdir
  eval|exec|source|.|declare|typeset|local|readonly|alias|unalias|trap|enable|hash|set|shopt|unset|mapfile|readarray
  compgen|complete|bind|fc|history|let|getopts
  printf -v
`;

/** From the first to the last rule, none of the user's among them. */
export function defaultRules(): readonly CommandRule[] {
  const rules = (
    words: readonly (readonly string[])[],
    kind: Pick<CommandRule, "decision" | "possibly"> & { exact?: boolean },
  ): CommandRule[] => words.map((rule) => ruleOf(rule, { ...kind, source: "default" }));
  return [
    ...rules(ask, { decision: "ask", possibly: "ask" }),
    ...rules(running, { decision: "ask", possibly: "unlisted" }),
    ...rules(writing, { decision: "unlisted", possibly: "unlisted" }),
    ...rules(allowExactly, { decision: "allow", possibly: "unlisted", exact: true }),
    ...rules(allow, { decision: "allow", possibly: "unlisted" }),
  ];
}

/** One rule a line; words between bars are alternatives, each a rule of its own. */
function lines(text: TemplateStringsArray): readonly (readonly string[])[] {
  return text
    .join("")
    .trim()
    .split(/\s*\n\s*/)
    .flatMap((line) =>
      line
        .split(" ")
        .map((word) => word.split("|"))
        .reduce<string[][]>((rules, words) => rules.flatMap((rule) => words.map((word) => [...rule, word])), [[]]),
    );
}
