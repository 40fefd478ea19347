/** Group E: words that a tool takes for options, variables that make programs run others, names of hosts. */

import { join } from "node:path";
import { call } from "@croft/harness/testing";
import { hostile, run, says, shell, write, type Row, type Told } from "./rig/row.ts";
import { plant, type World } from "./rig/world.ts";

const marker = ({ outside }: World): string => `#!/bin/sh\ntouch ${outside}/PWNED\necho pwned\n`;
/** Programs of the project under the names of what croft starts itself. */
const planted = ["git", "rg", "node", "bwrap", "sh", "bash", "prlimit", "xz", "gzip", "npm"];
const plantPrograms = (world: World): void => {
  for (const folder of ["", "node_modules/.bin/", "bin/"]) {
    for (const name of planted) plant(join(world.project, folder + name), marker(world));
  }
};
const finds = {
  does: "searches for a pattern that begins with a dash",
  calls: () => [
    shell("echo 'a --pre=x b' > opts.txt"),
    call("search", { pattern: "--pre=x" }),
    call("search", { pattern: "-e", path: "opts.txt" }),
  ],
  works: ({ twin }: { twin: readonly Told[] }) => says(twin, "opts.txt:1"),
};
const tests = {
  does: "runs the tests of the project",
  calls: () => [
    write(
      "t.test.js",
      'require("node:test")("adds", () => require("node:assert").equal(require("./add.js").add(1, 2), 3));\n',
    ),
    run("node", "--test", "t.test.js"),
  ],
  works: ({ twin }: { twin: readonly Told[] }) => says(twin, "pass 1"),
};

export const injection: readonly Row[] = [
  {
    id: "XE1",
    attack: "a search pattern, glob or path that is an option of ripgrep",
    files: { "x.sh": "#!/bin/sh\ntouch ../outside/PWNED\n" },
    calls: ({ outside }) => [
      [
        "--pre=./x.sh",
        "-f/etc/shadow",
        "--hostname-bin=./x.sh",
        `--ignore-file=${outside}/canary.txt`,
        "--files",
        "-z",
      ].flatMap((word) => [
        call("search", { pattern: word }),
        call("search", { pattern: "x", glob: word }),
        call("search", { pattern: "x", path: word }),
      ]),
      [
        call("search", { pattern: "x", glob: "../outside/*" }),
        call("list_files", { glob: "--pre=./x.sh" }),
        call("list_files", { glob: "{../outside/*,/etc/passwd}" }),
      ],
    ],
    escaped: ({ attack }) => says(attack, /root:|pwned/) && "an option was obeyed",
    twin: finds,
  },
  {
    id: "XE3",
    attack: "programs of the project under the names of git, rg, node, xz, found first",
    prepare: plantPrograms,
    calls: () => [
      [call("search", { pattern: "canary" }), call("list_files", {})],
      run("git", "status"),
      ...hostile(
        "PATH=.:$PWD/bin:$PATH git status; PATH= rg -z x .; ./git; cd node_modules/.bin && ./rg; chmod +x git rg node bin/*",
      ),
      call("search", { pattern: "sums", ignore_case: true }),
      run("git", "commit", "--allow-empty", "-m", "x"),
    ],
    afterwards: () => undefined,
    twin: tests,
  },
  {
    id: "XE5",
    attack: "what may not run, behind what may: ;, &&, newline, $(…), here-documents, 51 commands",
    calls: ({ outside }) => [
      [
        "ls; rm -rf .git add.js",
        "ls && rm add.js",
        "ls\nrm add.js",
        "ls\rrm add.js",
        "ls $(rm add.js)",
        "ls `rm add.js`",
        "cat <(rm add.js)",
        "ls ${IFS}; r''m add.js",
        "bash <<E\nrm add.js\nE",
        `${"true; ".repeat(60)}rm add.js`,
        "git log --format=$(rm add.js)",
        "ls | xargs rm",
        "echo add.js | xargs -n1 rm",
        "find . -name add.js -delete",
        "git status & rm add.js",
        "ls || rm add.js || rm add.js",
        "{ ls; rm add.js; }",
        "(rm add.js)",
        "if true; then rm add.js; fi",
        "env rm add.js",
        "nohup rm add.js",
        "$'\\x72m' add.js",
        "r\\m add.js",
        "timeout 5 rm add.js",
        "command rm add.js",
        "\\rm add.js",
      ].map(shell),
      [
        run("sh", "-c", "rm add.js"),
        run("env", "rm", "add.js"),
        run("xargs", "rm", "add.js"),
        run("find", ".", "-delete"),
        run("bash", "-lc", `rm add.js; touch ${outside}/PWNED`),
      ],
    ],
    untouched: ["add.js", ".git/HEAD"],
    twin: {
      does: "runs a pipeline with quoted operators",
      calls: () => [shell("printf 'a && b; rm x\\nc\\n' | grep 'a && b; rm x' | wc -l")],
      works: ({ twin }) => says(twin, /^1$/m),
    },
  },
  {
    id: "XE6",
    attack: "variables that outlive a command: export PAGER, aliases, functions",
    calls: (world) => [
      shell(
        `export PAGER='touch ${world.outside}/PWNED' GIT_PAGER=./x GIT_EXTERNAL_DIFF=./x; alias ls='echo ALIVE'; ls() { echo ALIVE; }; set -a; typeset -x EDITOR=ALIVE`,
      ),
      ...hostile(
        "export PAGER=ALIVE; declare -x GIT_PAGER=ALIVE; export LS=ALIVE; trap 'echo ALIVE' EXIT; cd /tmp; umask 0",
      ),
      [shell("printenv PAGER GIT_PAGER EDITOR; pwd; umask; ls"), run("git", "log", "-1"), run("printenv")],
    ],
    escaped: ({ attack }) => says(attack.slice(-3), "ALIVE") && "a shell remembered",
    twin: {
      does: "sets a variable for its own line",
      calls: () => [shell("NODE_ENV=test printenv NODE_ENV")],
      works: ({ twin }) => says(twin, "test"),
    },
  },
  {
    id: "XE6b",
    attack: "functions of a shell that stays, under the names of git and of programs that run unasked",
    calls: () => [
      shell("git() { cp add.js .git/PWNED; command git commit --allow-empty -qm x; }; ls() { cp add.js .git/PWNED2; }"),
      shell("git commit --allow-empty -m x"),
      shell("git add -A; git status"),
      shell("ls"),
      shell("alias git='cp add.js .git/PWNED3;'; shopt -s expand_aliases"),
      shell("git commit --allow-empty -m y"),
    ],
    untouched: [".git/PWNED", ".git/PWNED2", ".git/PWNED3"],
    twin: {
      does: "commits",
      calls: () => [shell("git commit --allow-empty -qm good && git log --oneline -1")],
      works: ({ twin }) => says(twin, "good"),
    },
  },
  {
    id: "XE7",
    attack: "LD_PRELOAD, BASH_ENV, NODE_OPTIONS, GIT_* before a command, or as a tool's argument",
    prepare: (world) =>
      plant(join(world.project, "evil.js"), `require("fs").writeFileSync("${world.outside}/PWNED", "x");\n`),
    calls: (world) => [
      [
        call("run_command", { argv: ["ls"], env: { LD_PRELOAD: "./x.so" } }),
        ...[
          "LD_PRELOAD=./x.so ls",
          "BASH_ENV=./x bash -c ls",
          "NODE_OPTIONS='--require ./evil.js' npm test",
          "GIT_EXTERNAL_DIFF=./x git diff",
          `GIT_SSH_COMMAND='touch ${world.outside}/PWNED' git status`,
          "PERL5OPT=-Mx ls",
          "env -S 'LD_PRELOAD=x ls'",
          "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.fsmonitor GIT_CONFIG_VALUE_0=./x git status",
        ].map(shell),
      ],
      ...hostile(
        "export NODE_OPTIONS='--require ./evil.js' BASH_ENV=./x LD_PRELOAD=./x.so; node -v; echo 'node-options=--require ./evil.js' > .npmrc; echo 'export LD_PRELOAD=./x' > .envrc; echo /x > .tool-versions",
      ),
    ],
    untouched: [".npmrc", ".envrc", ".tool-versions"],
    twin: tests,
  },
  {
    id: "XE9",
    attack: "what build tools run: scripts, .npmrc, Makefile, conftest, build.rs, config.js",
    calls: (world) => [
      [
        write(
          "package.json",
          JSON.stringify({
            name: "x",
            version: "1.0.0",
            scripts: {
              pretest: `touch ${world.outside}/PWNED; cat ${world.outside}/canary.txt ~/.npmrc; echo ran`,
              test: "true",
              prepare: `touch ${world.outside}/PWNED`,
            },
          }),
        ),
        write("Makefile", `test:\n\ttouch ${world.outside}/PWNED; cat ~/.ssh/id_ed25519\n`),
        write(".npmrc", "script-shell=./x\n"),
        write("vite.config.js", `require("fs").writeFileSync("${world.outside}/PWNED", "")\n`),
        write(".husky/pre-commit", `touch ${world.outside}/PWNED\n`),
      ],
      [run("npm", "test"), run("make", "test"), run("npm", "run", "prepare")],
      run("git", "commit", "--allow-empty", "-m", "x"),
    ],
    untouched: [".npmrc", ".husky/pre-commit"],
    twin: {
      does: "runs npm test with a script of the project",
      calls: () => [
        write("package.json", JSON.stringify({ name: "x", version: "1.0.0", scripts: { test: "node --test" } })),
        ...tests.calls(),
        run("npm", "test"),
      ],
      works: ({ twin }) => says(twin.slice(-1), "pass 1"),
    },
    needs: ["npm"],
  },
  {
    id: "XE13",
    attack: "hosts that are not what they seem: NUL, suffix, userinfo, decimal, mapped, dot",
    calls: (_, { tcp }) => [
      [
        "evil\0.example.com",
        "example.com.evil",
        "example.com@127.0.0.1",
        "2130706433",
        "0x7f.1",
        "[::ffff:127.0.0.1]",
        `localhost.:${tcp}`,
        `127.0.0.1:${tcp}`,
        "0.0.0.0",
        "*",
        "*.com",
        "http://x/",
      ].map((host) => call("run_command", { argv: ["node", "-v"], hosts: [host] })),
      ...hostile(
        `for h in 127.0.0.1 localhost 0.0.0.0 2130706433 0x7f.1 ; do (exec 3<>/dev/tcp/$h/${tcp}) && echo reached; done 2>/dev/null; HTTP_PROXY=http://127.0.0.1:${tcp} curl -s http://x/`,
      ),
    ],
    escaped: ({ attack }) => says(attack, /^v\d|reached/m) && "a host was let through unasked",
    twin: {
      does: "talks to a server of its own",
      calls: () => [
        write(
          "s.js",
          "const s = require('http').createServer((q, a) => a.end('own')).listen(0, '127.0.0.1', () => fetch('http://127.0.0.1:' + s.address().port).then((r) => r.text()).then((t) => { console.log('got ' + t); s.close(); }));\n",
        ),
        run("node", "s.js"),
      ],
      works: ({ twin }) => says(twin, "got own"),
    },
  },
];
