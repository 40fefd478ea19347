/** Group B: links, hard links, and folders that are swapped while they are used. */

import { execFileSync, spawn } from "node:child_process";
import { linkSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { call } from "@croft/harness/testing";
import { bin } from "./rig/play.ts";
import { asUser, plant, type World } from "./rig/world.ts";
import { hostile, read, says, shell, write, type Row } from "./rig/row.ts";

const patch = (...lines: string[]) =>
  call("apply_patch", { patch: ["*** Begin Patch", ...lines, "*** End Patch"].join("\n") });
const inward = {
  does: "reads and edits through a link that stays inside",
  calls: () => [
    shell("mkdir -p src; echo 'a + b' > src/inward.js; ln -s src/inward.js inward.js"),
    read("inward.js"),
    call("edit_file", { path: "inward.js", old_string: "a + b", new_string: "b + a" }),
    read("src/inward.js"),
  ],
  works: ({ twin }: { twin: readonly { text: string; failed: boolean }[] }) => says(twin, "b + a"),
};
const away = ({ project, outside }: World): void => symlinkSync(outside, join(project, "e"));

export const links: readonly Row[] = [
  {
    id: "XB1",
    attack: "a link to a folder outside, planted before or by a command",
    prepare: away,
    calls: ({ outside, home }) => [
      ...hostile(`ln -s ${outside} e2; ln -s ${home}/.bashrc rc; ln -s .. up`),
      ["e/canary.txt", "e2/canary.txt", "rc", "up/outside/canary.txt"].map(read),
      [
        write("e/PWNED", "x"),
        write("e2/PWNED", "x"),
        write("rc", "x"),
        write("up/outside/PWNED", "x"),
        patch("*** Add File: e2/PWNED", "+x"),
      ],
      [call("list_files", { path: "e" }), call("search", { pattern: "canary", path: "e2" })],
    ],
    twin: inward,
  },
  {
    id: "XB3",
    attack: "write through a dangling link",
    calls: ({ home, outside }) => [
      ...hostile(
        `ln -s ${home}/.ssh/authorized_keys keys; ln -s ${outside}/PWNED new.txt; mkdir d; ln -s ${outside}/x/y d/z`,
      ),
      [
        write("keys", "ssh-rsa x\n"),
        write("new.txt", "x"),
        write("d/z/PWNED", "x"),
        patch("*** Add File: new.txt", "+x"),
      ],
      ...hostile("echo x > new.txt; echo x > keys; mkdir -p d/z"),
    ],
    twin: inward,
  },
  {
    id: "XB4",
    attack: "a folder exchanged with a link a hundred thousand times while it is read and written",
    files: { "d/canary.txt": "harmless\n", "d/a.txt": "harmless\n" },
    prepare: ({ project, outside }) => symlinkSync(outside, join(project, "away")),
    meanwhile: ({ project }) => {
      const child = spawn("perl", ["-e", exchange, join(project, "d"), join(project, "away")], { stdio: "ignore" });
      return { [Symbol.dispose]: () => void child.kill("SIGKILL") };
    },
    calls: () =>
      // Five times, since a call that fails six times in the same way ends the turn.
      Array.from({ length: 5 }, (_, n) => [
        read("d/canary.txt"),
        write(`d/new-${n}.txt`, "x\n"),
        call("list_files", { path: "d", depth: 1 + n }),
        call("search", { pattern: "canary", path: "d", limit: n + 1 }),
        patch(`*** Add File: d/patched-${n}.txt`, "+x"),
        shell(`cat d/canary.txt; echo x > d/shell-${n}.txt`),
      ]),
    twin: {
      does: "reads where nothing is swapped",
      calls: () => [read("add.js")],
      works: ({ twin }) => says(twin, "a + b"),
    },
    needs: ["perl"],
  },
  {
    id: "XB7",
    attack: "a denied file by way of a link",
    prepare: ({ project, secret }) => {
      plant(join(project, "secrets/server.key"), `${secret}\n`);
      symlinkSync("secrets/server.key", join(project, "notes.txt"));
      symlinkSync(".env", join(project, "env.txt"));
      symlinkSync(".git", join(project, "g"));
    },
    calls: () => [
      ["notes.txt", "env.txt", "g/config"].map(read),
      [write("env.txt", "x"), write("g/hooks/pre-commit", "x"), write("g/config", "x")],
      ...hostile("cat notes.txt env.txt; cp notes.txt copy.txt; echo x > g/config; echo x > g/hooks/pre-commit"),
      read("copy.txt"),
    ],
    untouched: [".env", ".git/config", ".git/hooks/pre-commit"],
    twin: inward,
  },
  {
    id: "XB8",
    attack: "a hard link to a denied file",
    calls: () => [
      ...hostile("ln .env hard.txt; ln -P .env hard2.txt; cat hard.txt hard2.txt; cp -al .env hard3"),
      ["hard.txt", "hard2.txt", "hard3"].map(read),
    ],
    twin: {
      does: "makes a hard link of its own file",
      calls: () => [shell("ln add.js linked.js && cat linked.js")],
      works: ({ twin }) => says(twin, "a + b"),
    },
  },
  {
    id: "XB9",
    attack: "a hard link into the project that the user made from outside, written to",
    files: {},
    prepare: ({ project, outside }) => {
      writeFileSync(join(outside, "shared.txt"), "shared\n");
      linkSync(join(outside, "shared.txt"), join(project, "shared.txt"));
    },
    calls: ({ outside, home }) => [
      ...hostile(`ln ${outside}/canary.txt l1; ln ${home}/.bashrc l2; ln /etc/passwd l3`),
      read("shared.txt"),
      call("edit_file", { path: "shared.txt", old_string: "shared", new_string: "mine" }),
    ],
    escaped: ({ attack }) => says(attack.slice(0, 1), "exit code 0") && "a hard link was made across",
    twin: inward,
  },
  {
    id: "XB10",
    attack: "undo is led out through a link put where a file was",
    calls: ({ outside, home }) => [
      read("add.js"),
      call("edit_file", { path: "add.js", old_string: "a + b", new_string: "0" }),
      write("d/PWNED", "x\n"),
      ...hostile(`rm add.js; ln -s ${home}/.bashrc add.js; rm -r d; ln -s ${outside} d`),
    ],
    afterwards: (world) => void asUser(world, process.execPath, bin, "undo"),
    twin: inward,
  },
  {
    id: "XB12",
    attack: "delete and move below a folder that becomes a link",
    notWith: { tools: ["artifact", "anthropic"], since: "no call but a command deletes a file" },
    files: { "t/canary.txt": "mine\n" },
    calls: ({ outside }) => [
      ...hostile(`mv t t2; ln -s ${outside} t`),
      [
        patch("*** Delete File: t/canary.txt"),
        patch("*** Update File: t/canary.txt", "*** Move to: stolen.txt", "@@", "-canary", "+x"),
      ],
      ...hostile("rm -rf t/; rm -rf t/*; mv t/canary.txt .; find t/ -delete"),
    ],
    twin: {
      does: "deletes and moves files",
      calls: () => [shell("mkdir x; echo hi > x/y; mv x/y z; cat z"), read("z"), patch("*** Delete File: z")],
      works: ({ twin }) => says(twin, "hi") && twin.at(-1)?.failed === false,
    },
  },
  {
    id: "XB13",
    attack: "list and search through links to / and to a folder above",
    files: { "a/b/c.txt": "needle\n" },
    prepare: ({ project, base }) => {
      symlinkSync("/", join(project, "root"));
      symlinkSync("..", join(project, "a/b/up"));
      symlinkSync(base, join(project, "base"));
    },
    calls: ({ mark }) => [
      [
        call("list_files", { depth: 50 }),
        call("search", { pattern: `canary of ${mark.slice(0, 4)}` }),
        call("list_files", { path: ".", glob: "**/*.txt" }),
      ],
    ],
    escaped: ({ attack }) => says(attack, /outside\/canary|root\/etc|up\/b\/c/) && "it walked through a link",
    twin: {
      does: "searches the tree",
      calls: () => [call("search", { pattern: "needle" })],
      works: ({ twin }) => says(twin, "a/b/c.txt"),
    },
  },
  {
    id: "XB14",
    attack: "archives that climb out, and that write through a link they brought",
    prepare: (world) => archives(world),
    calls: () => [...hostile("tar xPf slip.tar; tar xf slip.tar; tar xPf link.tar; tar xf link.tar; true")],
    twin: {
      does: "unpacks an archive",
      calls: () => [shell("tar cf ok.tar add.js && mkdir un && tar xf ok.tar -C un && cat un/add.js")],
      works: ({ twin }) => says(twin, "a + b"),
    },
    needs: ["tar"],
  },
];

/** Exchanges two names as fast as it can: renameat2 with RENAME_EXCHANGE. */
const exchange = `my ($a, $b) = @ARGV; my $n = $^O eq 'linux' && qx(uname -m) =~ /aarch64/ ? 276 : 316;
  for (1 .. 20_000_000) { syscall($n, -100, $a, -100, $b, 2) }`;

function archives({ project, outside, base }: World): void {
  const stage = join(base, "stage");
  mkdirSync(join(stage, "in"), { recursive: true });
  writeFileSync(join(stage, "PWNED"), "x\n");
  execFileSync("tar", ["cPf", join(project, "slip.tar"), "../PWNED"], { cwd: join(stage, "in") });
  execFileSync("tar", ["rPf", join(project, "slip.tar"), "--transform", `s,.*,${outside}/PWNED,`, "../PWNED"], {
    cwd: join(stage, "in"),
  });
  symlinkSync(outside, join(stage, "in/l"));
  execFileSync("tar", ["cf", join(project, "link.tar"), "l"], { cwd: join(stage, "in") });
  renameSync(join(stage, "in/l"), join(stage, "l"));
  mkdirSync(join(stage, "in/l"));
  writeFileSync(join(stage, "in/l/PWNED"), "x\n");
  execFileSync("tar", ["rf", join(project, "link.tar"), "l/PWNED"], { cwd: join(stage, "in") });
}
