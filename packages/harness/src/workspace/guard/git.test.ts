import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { needs } from "../../../../../test/support/needs.ts";
import { Failure } from "../../error.ts";
import { encloseProject, type Enclosed } from "./enclosed.testing.ts";

const enclosed = test.runIf(process.platform === "linux" && needs("bwrap") && needs("git"));
const identity = ["-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "init.defaultBranch=main"];

function git(folder: string, ...args: string[]): string {
  const env = { PATH: process.env["PATH"], GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" };
  return execFileSync("git", [...identity, ...args], {
    cwd: folder,
    env,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  }).trim();
}

const inside = `git ${identity.join(" ")}`;
const status = `git -c core.fsmonitor=false status --short`;

async function repository(files: Record<string, string> = { "a.txt": "one\n" }): Promise<Enclosed> {
  const box = await encloseProject({ files });
  git(box.root, "init", "-q");
  git(box.root, "add", ".");
  git(box.root, "commit", "-qm", "first");
  return box;
}

enclosed("a plain command reads the history and cannot write it; one of git can", async () => {
  await using box = await repository();
  const commit = `${inside} commit -qam second 2>&1 | grep -o 'Read-only file system' | head -1; git log --format=%s`;
  expect((await box.sh(`echo two > a.txt; ${commit}`)).output).toBe("Read-only file system\nfirst");
  expect((await box.sh(commit, { profile: "git" })).output).toBe("second\nfirst");
  const branch = `${inside} checkout -qb other && ${inside} tag t && git branch --format='%(refname:short)'`;
  expect((await box.sh(branch, { profile: "git" })).output).toBe("main\nother");
  expect(git(box.root, "status", "--short")).toBe("");
  expect(await box.inspect()).toEqual([]);
});

enclosed(
  "what git runs or takes settings from cannot be written in either profile, and .git stays where it is",
  async () => {
    await using box = await repository();
    const before = readFileSync(join(box.root, ".git/config"), "utf8");
    for (const profile of ["plain", "git"] as const) {
      const { output } = await box.sh(
        `for file in config hooks/pre-commit info/attributes hooks/post-checkout; do echo x 2>/dev/null >> .git/$file && echo $file; done
       git config core.fsmonitor ./evil 2>/dev/null && echo set; mv .git .git2 2>/dev/null && echo moved; rm -rf .git/hooks .git/config 2>/dev/null
       ln -sf evil .git/config 2>/dev/null && echo linked; mkdir .git 2>/dev/null; true`,
        { profile },
      );
      expect(output).toBe("");
    }
    expect(readFileSync(join(box.root, ".git/config"), "utf8")).toBe(before);
    expect(existsSync(join(box.root, ".git/hooks/pre-commit"))).toBe(false);
  },
);

enclosed("what is new and leads git elsewhere is taken out of .git and told", async () => {
  await using box = await repository();
  rmSync(join(box.root, ".git/info"), { recursive: true });
  await box.sh(
    `cd .git; echo ../evil > commondir; echo x > config.worktree; mkdir -p info objects/info worktrees/w modules/m
     echo '* filter=x' > info/attributes; echo /x > objects/info/alternates; echo x > worktrees/w/config.worktree`,
    { profile: "git" },
  );
  const told = await box.inspect();
  const names = ["commondir", "config.worktree", "info", "modules", "objects/info/alternates", "worktrees"];
  expect(named(told, /\.git\/(.+?)" appeared/)).toEqual(names);
  expect(names.filter((name) => existsSync(join(box.root, ".git", name)))).toEqual([]);
  expect(git(box.root, "log", "--format=%s")).toBe("first");
});

enclosed("tokens in git's settings are not shown to commands, and the rest of the settings is", async () => {
  await using box = await repository();
  git(box.root, "config", "remote.origin.url", "https://me:canary@example.com/a.git");
  git(box.root, "config", "http.https://example.com/.extraheader", "AUTHORIZATION: basic canary");
  const before = readFileSync(join(box.root, ".git/config"), "utf8");
  for (const profile of ["plain", "git"] as const) {
    const { output } = await box.sh("cat .git/config | grep -c canary; git config --get remote.origin.url", {
      profile,
    });
    expect(output).toBe("0\nhttps://example.com/a.git");
  }
  expect(readFileSync(join(box.root, ".git/config"), "utf8")).toBe(before);
});

enclosed("a submodule works, and its hooks and settings are held", async () => {
  await using box = await encloseProject({ at: "super/lib" });
  const above = join(box.root, "..");
  rmSync(box.root, { recursive: true });
  mkdirSync(join(box.outside, "lib"));
  git(join(box.outside, "lib"), "init", "-q");
  git(join(box.outside, "lib"), "commit", "-qm", "first", "--allow-empty");
  git(above, "init", "-q");
  git(above, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", join(box.outside, "lib"), "lib");
  const { output } = await box.sh(
    `echo x > f; ${inside} add f && ${inside} commit -qm second && git log --format=%s
     own=$(git rev-parse --git-dir); for f in $own/config $own/hooks/pre-commit .git; do echo x 2>/dev/null >> $f && echo $f; done; true`,
    { profile: "git" },
  );
  expect(output).toBe("second\nfirst");
  expect(await box.inspect()).toEqual([]);
});

enclosed("hooks kept in the project, and settings included from it, are as protected as those in .git", async () => {
  await using box = await repository({ "tools/hooks/pre-commit": "#!/bin/sh\n", "shared.gitconfig": "[alias]\n" });
  git(box.root, "config", "core.hooksPath", "tools/hooks");
  git(box.root, "config", "include.path", "../shared.gitconfig");
  const { output } = await box.sh(
    "for f in tools/hooks/pre-commit tools/hooks/new shared.gitconfig; do echo x 2>/dev/null >> $f && echo $f; done; mv tools t 2>/dev/null && echo moved; echo x > tools/ok && cat tools/ok",
    { profile: "git" },
  );
  expect(output).toBe("x");
});

enclosed(
  "repositories within the project are read-only; one that appears stays where it runs nothing, and is told of",
  async () => {
    await using box = await encloseProject({ files: { "vendor/deep/down/lib/a": "a" } });
    const nested = join(box.root, "vendor/deep/down/lib");
    git(nested, "init", "-q");
    const { output } = await box.sh(
      `cd vendor/deep/down/lib && ${status}; git config core.fsmonitor x 2>/dev/null && echo set; echo x 2>/dev/null > .git/hooks/post-checkout && echo hook
     cd ${box.root}; git init -q; git config core.fsmonitor ./evil; git init -q other`,
    );
    expect(output).toBe("?? a");
    const told = await box.inspect();
    expect(named(told, /^"(.+?)" appeared, which|^A repository (appeared: ".+")\.$/)).toEqual([
      ".git",
      'appeared: "other/.git"',
    ]);
  },
);

enclosed.each([
  ["a setting that runs a program", "git init -q r; git -C r config core.fsmonitor x"],
  ["a setting on one line with its section", "git init -q r; echo '[core] fsmonitor = x' >> r/.git/config"],
  [
    "a setting behind a line that goes on",
    String.raw`git init -q r; printf '[user]\n\tname = a\\\n[core]\n\tfsmonitor = x\n' >> r/.git/config`,
  ],
  ["further settings", "git init -q r; git -C r config include.path ../x"],
  ["a hook", "git init -q r; echo x > r/.git/hooks/post-checkout"],
  ["attributes", "git init -q r; echo '* filter=x' > r/.git/info/attributes"],
  ["objects from elsewhere", "git init -q r; echo /x > r/.git/objects/info/alternates"],
  ["a file in its place", "mkdir r; echo 'gitdir: ../evil' > r/.git"],
  ["a link in its place", "mkdir r; ln -s ../x r/.git"],
])("a repository that appears with %s is taken away", async (_, made) => {
  await using box = await encloseProject();
  await box.sh(made);
  const told = await box.inspect();
  expect(named(told, /^"(r.+?)" appeared, which commands may not write/)).toEqual(["r/.git"]);
  expect(existsSync(join(box.root, "r/.git"))).toBe(false);
});

enclosed("a folder that is a repository without .git loses the settings that a command gave it", async () => {
  await using box = await encloseProject({
    files: { "old/HEAD": "ref: refs/heads/main\n", "old/objects/x": "", "old/refs/x": "" },
  });
  await box.sh("git init -q --bare plain; git init -q --bare r; git -C r config core.fsmonitor x; echo x > old/config");
  expect(named(await box.inspect(), /^"(.+?)" appeared, which|^A repository (appeared: ".+")\.$/).toSorted()).toEqual([
    'appeared: "plain"',
    "old/config",
    "r/HEAD",
    "r/config",
    "r/hooks",
  ]);
  expect([existsSync(join(box.root, "plain/config")), existsSync(join(box.root, "r/config"))]).toEqual([true, false]);
  expect((await box.sh("echo x >> plain/config || echo held")).output).toBe("held");
});

enclosed("a linked worktree works, and the hooks and settings of its repository are held", async () => {
  await using box = await encloseProject({ at: "main/tree" });
  const main = join(box.root, "..");
  rmSync(box.root, { recursive: true });
  git(main, "init", "-q");
  git(main, "commit", "-qm", "first", "--allow-empty");
  git(main, "worktree", "add", "-q", "tree");
  expect((await box.sh(`echo x > f; ${inside} add f 2>/dev/null || echo refused; ${status}`)).output).toBe(
    "refused\n?? f",
  );
  const { output } = await box.sh(
    `${inside} add f && ${inside} commit -qm second && git log --format=%s
     common=$(git rev-parse --git-common-dir); own=$(git rev-parse --git-dir)
     for f in $common/hooks/pre-commit $common/config $own/commondir $common/config.worktree .git; do echo x 2>/dev/null >> $f && echo $f; done
     echo x > $own/config.worktree; ls ${main}`,
    { profile: "git" },
  );
  expect(output).toBe(`second\nfirst\n${main}/.git/config.worktree\ntree`.replaceAll(`${box.root}/..`, main));
  const told = await box.inspect();
  expect(named(told, /\.git\/(.+?)" appeared/)).toEqual(["config.worktree", "worktrees/tree/config.worktree"]);
  expect(git(box.root, "log", "--format=%s")).toBe("second\nfirst");
});

enclosed("a .git that git did not make is refused", async () => {
  const odd: Record<string, (root: string, outside: string) => void> = {
    "a link": (root, outside) => symlinkSync(outside, join(root, ".git")),
    "a file that leads to a repository of somebody else": (root, outside) => {
      git(outside, "init", "-q");
      writeFileSync(join(root, ".git"), `gitdir: ${outside}/.git\n`);
    },
    "a file that leads anywhere": (root) => writeFileSync(join(root, ".git"), "gitdir: /etc\n"),
    "a folder that leads elsewhere": (root) => {
      mkdirSync(join(root, ".git"));
      writeFileSync(join(root, ".git/commondir"), "../evil\n");
    },
  };
  const answers: Record<string, string> = {};
  for (const [name, make] of Object.entries(odd)) {
    await using box = await encloseProject();
    make(box.root, box.outside);
    answers[name] = await box.sh("echo ran").then(
      ({ output }) => output,
      (thrown: unknown) => (thrown instanceof Failure ? thrown.code : String(thrown)),
    );
  }
  expect(answers).toEqual(Object.fromEntries(Object.keys(odd).map((name) => [name, "E_UNPROTECTABLE"])));
});

enclosed(
  "a secret that git has taken up as it is can be read; changed since, or about to be taken up, it cannot be opened",
  async () => {
    await using box = await repository({ "test/fixture.pem": "public", "changed.pem": "old", ".gitignore": ".env\n" });
    writeFileSync(join(box.root, "changed.pem"), "canary");
    writeFileSync(join(box.root, "new.pem"), "canary");
    writeFileSync(join(box.root, ".env"), "canary");
    const { output } = await box.sh(
      `for f in test/fixture.pem changed.pem new.pem .env; do cat $f 2>/dev/null && echo "=$f"; done; ${inside} add -A 2>/dev/null || echo refused; ${inside} update-index --add --cacheinfo 100644,$(echo x | ${inside} hash-object -w --stdin),.env`,
      { profile: "git" },
    );
    expect(output).toBe("public=test/fixture.pem\n=.env\nrefused");
    expect((await box.sh("cat .env changed.pem new.pem")).output).toBe("");
    expect(git(box.root, "diff", "--cached", "--name-only")).not.toContain("pem");
  },
);

/** What the pattern finds in each line, in order. */
function named(told: readonly string[], pattern: RegExp): string[] {
  return told.map((line) => pattern.exec(line)?.slice(1).find(Boolean) ?? line).toSorted();
}
