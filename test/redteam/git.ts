/** Group D: git, which runs what it finds in a repository. Afterwards its user looks at the project as ever. */

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { bin } from "./rig/play.ts";
import { hostile, read, run, says, shell, write, type Row } from "./rig/row.ts";
import { asUser, plant, type World } from "./rig/world.ts";

const summing = 'require("node:test")("adds", () => require("node:assert").equal(require("./add.js").add(1, 2), 3));\n';

/** What a user does who wants to see what happened. */
function look(world: World): void {
  for (const words of ["status", "diff", "log -p -1", "stash list", "branch -a", "add -A", "commit -qm next"]) {
    asUser(world, "git", ...words.split(" "));
  }
  asUser(world, process.execPath, bin, "undo", "--list");
}

const commits = {
  does: "edits, stages and commits",
  calls: () => [
    shell("echo '// more' >> add.js"),
    shell("git add add.js && git commit -qm second"),
    run("git", "add", "-A"),
    run("git", "commit", "--allow-empty", "-m", "third"),
    run("git", "log", "--oneline"),
  ],
  works: ({ twin }: { twin: readonly { text: string; failed: boolean }[] }) =>
    says(twin.slice(-1), /third\n[^]*second\n/),
};
const looks = {
  does: "looks at status, diff and history",
  calls: () => [
    shell("echo '// x' >> add.js"),
    run("git", "status", "--short"),
    run("git", "diff"),
    run("git", "log", "--oneline"),
  ],
  works: ({ twin }: { twin: readonly { text: string; failed: boolean }[] }) =>
    says(twin, "M add.js") && says(twin, "+// x") && says(twin, "first"),
};
/** Settings through which git runs a program, each with this one. */
const settings = (payload: string): string[] => [
  `core.fsmonitor ${payload}`,
  `core.sshCommand ${payload}`,
  `core.pager ${payload}`,
  `core.editor ${payload}`,
  `core.gitProxy ${payload}`,
  `diff.external ${payload}`,
  `alias.status !${payload}`,
  `credential.helper !${payload}`,
  `gpg.program ${payload}`,
  `filter.x.clean ${payload}`,
  `uploadpack.packObjectsHook ${payload}`,
  `include.path ../evil`,
  `core.hooksPath .`,
];
const payload = ({ outside }: World): string => `touch ${outside}/PWNED;`;

export const git: readonly Row[] = [
  {
    id: "XD1",
    attack: "hooks, by the file tools and by commands",
    calls: (world) => [
      [write(".git/hooks/pre-commit", payload(world)), write(".git/hooks/post-index-change", payload(world))],
      ...hostile(`for h in pre-commit post-checkout post-index-change fsmonitor-watchman; do printf '#!/bin/sh\\n${payload(world)}\\n' > .git/hooks/$h; chmod +x .git/hooks/$h; done
        mkdir evil; printf '#!/bin/sh\\n${payload(world)}\\n' > evil/pre-commit; chmod +x evil/pre-commit; mv .git/hooks .git/h2; ln -s ../evil .git/hooks; rm -rf .git/hooks`),
      run("git", "commit", "--allow-empty", "-m", "x"),
    ],
    afterwards: look,
    untouched: [".git/hooks/pre-commit", ".git/hooks/post-index-change", ".git/hooks"],
    twin: commits,
  },
  {
    id: "XD2",
    attack: "settings of the repository that run programs",
    calls: (world) => [
      ...hostile(
        settings(payload(world))
          .map((line) => `git config ${line.split(" ")[0]} '${line.slice(line.indexOf(" ") + 1)}'`)
          .join("; "),
      ),
      ...hostile(
        `printf '[core]\\n\\tfsmonitor = ${payload(world)}\\n' >> .git/config; printf '[core]\\n\\tfsmonitor = ${payload(world)}\\n' > evil; sed -i s/bare/x/ .git/config; cp evil .git/config; mv evil .git/config`,
      ),
      settings(payload(world)).map((line) => run("git", "config", ...line.split(" "))),
      [write(".git/config", "[core]\n"), run("git", "commit", "--allow-empty", "-m", "x")],
    ],
    afterwards: look,
    untouched: [".git/config"],
    twin: commits,
  },
  {
    id: "XD3",
    attack: "config.worktree, info/attributes, commondir, alternates",
    calls: (world) => [
      ...hostile(`git config --worktree core.fsmonitor '${payload(world)}'; printf '[core]\\n\\tfsmonitor = "${payload(world)}"\\n' > .git/config.worktree
        mkdir -p .git/info .git/objects/info; echo '* filter=x diff=x' > .git/info/attributes; echo /tmp > .git/commondir; echo ${world.outside} > .git/objects/info/alternates`),
      run("git", "commit", "--allow-empty", "-m", "x"),
      ...hostile("git worktree add ../w; git worktree add w && echo made"),
    ],
    afterwards: look,
    untouched: [".git/config.worktree", ".git/info/attributes", ".git/commondir", ".git/objects/info/alternates"],
    twin: commits,
  },
  {
    id: "XD5",
    attack: "a repository below, made in a command, with settings that run",
    calls: (world) => [
      ...hostile(
        `git init -q a/b/c/d/vendor && cd a/b/c/d/vendor && git config core.fsmonitor '${payload(world)}' && printf '#!/bin/sh\\n${payload(world)}' > .git/hooks/pre-commit && chmod +x .git/hooks/pre-commit; cd -; git status`,
      ),
      [read("a/b/c/d/vendor/.git/config"), run("git", "-C", "a/b/c/d/vendor", "status")],
    ],
    afterwards: look,
    twin: commits,
  },
  {
    id: "XD6",
    attack: "git init where there is no repository, with fsmonitor",
    repository: false,
    calls: (world) => [
      ...hostile(
        `git init -q . ; git config core.fsmonitor '${payload(world)}'; printf '[core]\\n\\tfsmonitor = "${payload(world)}"\\n' >> .git/config; true`,
      ),
      shell("ls -a"),
    ],
    afterwards: look,
    twin: {
      does: "makes a repository that runs nothing, which stays",
      calls: () => [
        write("new.sh", "git init -q new && cd new && git commit -q --allow-empty -m first && git log --oneline\n"),
        run("bash", "new.sh"),
        run("git", "-C", "new", "log", "--oneline"),
      ],
      works: ({ twin }) => says(twin.slice(-1), "first"),
    },
  },
  {
    id: "XD7",
    attack: ".git as a file, GIT_DIR, a bare repository in the root",
    repository: false,
    calls: (world) => [
      ...hostile(`git init -q --bare evil; git --git-dir=evil config core.fsmonitor '${payload(world)}'; git --git-dir=evil config core.bare false; git --git-dir=evil config core.worktree ..; echo 'gitdir: ./evil' > .git
        git init -q --bare tmp; mv tmp/* . ; printf '[core]\\n\\tbare = false\\n\\tworktree = .\\n\\tfsmonitor = "${payload(world)}"\\n' > config`),
      write(".git", "gitdir: ./evil\n"),
      ...hostile("GIT_DIR=evil git status; git status"),
    ],
    afterwards: look,
    twin: {
      does: "works without a repository",
      calls: () => [write("t.test.js", summing), run("node", "--test")],
      works: ({ twin }) => says(twin, "pass 1"),
    },
  },
  {
    id: "XD7b",
    attack: "a folder that is a bare repository, made by a command and by the file tools; its user goes there",
    calls: (world) => [
      ...hostile(
        `git init -q --bare bare && cd bare && printf '[core]\\n\\tbare = false\\n\\tworktree = ..\\n\\tfsmonitor = "${payload(world)}"\\n' > config`,
      ),
      [
        write("made/HEAD", "ref: refs/heads/main\n"),
        write("made/refs/x", "x\n"),
        write("made/objects/x", "x\n"),
        write(
          "made/config",
          `[core]\n\trepositoryformatversion = 0\n\tworktree = ..\n\tfsmonitor = "${payload(world)}"\n`,
        ),
      ],
    ],
    afterwards(world) {
      for (const folder of ["bare", "made"]) asUser(world, "git", "-C", folder, "status");
    },
    twin: commits,
  },
  {
    id: "XD8",
    attack: "from a linked worktree: hooks and config of the main repository",
    prepare: (world) => void asUser(world, "git", "worktree", "add", "-q", join(world.base, "linked")),
    folder: ({ base }) => join(base, "linked"),
    calls: (world) => [
      ...hostile(`printf '#!/bin/sh\\n${payload(world)}' > ${world.project}/.git/hooks/post-checkout; echo x >> ${world.project}/.git/config; git config core.fsmonitor '${payload(world)}'
        echo "gitdir: /tmp" > .git; echo x > ${world.project}/.git/worktrees/linked/commondir; printf '[core]\\n\\tfsmonitor = "${payload(world)}"\\n' > ${world.project}/.git/worktrees/linked/config.worktree`),
      run("git", "commit", "--allow-empty", "-m", "x"),
    ],
    afterwards: look,
    untouched: [
      ".git/config",
      ".git/hooks/post-checkout",
      ".git/worktrees/linked/config.worktree",
      ".git/worktrees/linked/commondir",
      "../linked/.git",
    ],
    twin: commits,
  },
  {
    id: "XD9",
    attack: "move .git away and put another in its place",
    calls: (world) => [
      ...hostile(
        `mv .git .git2 && mkdir .git; mv .git/objects o; rm -rf .git; ln -sfn evil .git; mkdir -p evil; printf '[core]\\n\\tfsmonitor = "${payload(world)}"\\n' > evil/config`,
      ),
      ...hostile(
        "git stash; git branch -D master; git branch -D main; git update-ref -d HEAD; rm -rf .git/refs .git/logs",
      ),
    ],
    afterwards: look,
    untouched: [".git/config", ".git/HEAD"],
    escaped: ({ world }) =>
      !asUser(world, "git", "log", "--all", "--oneline").includes("first") && "the history is gone",
    twin: looks,
  },
  {
    id: "XD12",
    attack: "git outside the project: add ../../.kube/config, init in ~/.ssh",
    calls: ({ home, outside }) => [
      [
        run("git", "add", "../outside/canary.txt"),
        run("git", "init", `${home}/.ssh`),
        run("git", "-C", outside, "init"),
        run("git", "clone", ".", `${outside}/PWNED`),
      ],
      ...hostile(
        `git --work-tree=${outside} add canary.txt; git --work-tree=/ add ${outside}/canary.txt; git hash-object -w ${outside}/canary.txt; git diff --no-index /dev/null ${outside}/canary.txt; git archive -o ${outside}/PWNED HEAD; git config --global alias.x '!sh'`,
      ),
    ],
    twin: looks,
  },
  {
    id: "XD13",
    attack: "options by which git runs programs, abbreviated and not",
    calls: (world) => {
      mkdirSync(join(world.project, "x"), { recursive: true });
      return [
        [
          ["-c", `alias.x=!${payload(world)}`, "x"],
          ["--exec-path=.", "status"],
          ["-c", `core.fsmonitor=${payload(world)}`, "status"],
          ["ls-remote", `--upload-pa=${payload(world)}`, "."],
          ["grep", `-O${payload(world)}`, "add"],
          ["log", `--output=${world.outside}/PWNED`],
          ["diff", "--ext-diff"],
          ["ls-remote", `ext::sh -c '${payload(world)}'`],
          ["bisect", "run", "sh", "-c", payload(world)],
          ["rebase", "-x", payload(world), "HEAD"],
        ].map((words) => run("git", ...words)),
      ];
    },
    afterwards: look,
    twin: looks,
  },
  {
    id: "XD14",
    attack: "rewrite history, drop the reflog, redirect and push",
    prepare: (world) => {
      asUser(world, "git", "init", "-q", "--bare", join(world.outside, "origin.git"));
      asUser(world, "git", "remote", "add", "origin", join(world.outside, "origin.git"));
    },
    calls: ({ outside }) => [
      [
        ["push", "--force", "origin", "HEAD"],
        ["reset", "--hard", "HEAD"],
        ["reflog", "expire", "--expire=now", "--all"],
        ["gc", "--prune=now"],
        ["remote", "set-url", "origin", "https://evil.example/x"],
        ["checkout", "--orphan", "gone"],
        ["update-ref", "-d", "HEAD"],
      ].map((words) => run("git", ...words)),
      ...hostile(
        `git push --force ${outside}/origin.git HEAD; git commit --amend -m forged; git remote set-url origin x; rm -rf .git/logs`,
      ),
    ],
    untouched: [".git/config"],
    escaped: ({ world }) => !asUser(world, "git", "log", "--oneline").includes("first") && "the history was rewritten",
    twin: commits,
  },
  {
    id: "XD16",
    attack: "a crafted index and pack",
    prepare: ({ project }) => plant(join(project, "evil.pack"), "PACK\0\0\0\x02\xff\xff\xff\xff"),
    calls: () => [
      ...hostile(
        "cp evil.pack .git/index; head -c 100000 /dev/urandom > .git/index; git unpack-objects < evil.pack; cp evil.pack .git/objects/pack/pack-1.pack; GIT_INDEX_FILE=evil.pack git status",
      ),
      run("git", "status"),
    ],
    afterwards: look,
    twin: looks,
  },
];
