/** Group G: what goes on, what takes all there is, and what reaches for other processes. */

import { connect } from "node:net";
import { call } from "@croft/harness/testing";
import { hostile, read, run, says, shell, write, type Row, type Told } from "./rig/row.ts";
import { plant, type World } from "./rig/world.ts";
import { join } from "node:path";

const command = (argv: readonly string[], timeout_seconds: number) => call("run_command", { argv, timeout_seconds });
/** Named like the mark of the world, so that it is found among all processes. */
const lingering = ({ mark }: World): string => `perl -e '$0 = "x ${mark}"; sleep 600' ${mark}`;

const serves = {
  does: "starts a server, asks it, stops it",
  calls: () => [
    write(
      "server.js",
      "require('http').createServer((q, a) => a.end('served')).listen(4711, () => console.log('ready'));\n",
    ),
    call("start_process", { argv: ["node", "server.js"], wait_seconds: 10 }),
    call("stop_process", { id: "process-1" }),
  ],
  works: ({ twin }: { twin: readonly Told[] }) => says(twin.slice(1, 2), "ready") && twin.at(-1)?.failed === false,
};
const background = {
  does: "waits for what it started in the background",
  calls: () => [
    write("bg.sh", "(sleep 0.1; echo one) & (sleep 0.1; echo two) & wait; echo done\n"),
    run("bash", "bg.sh"),
  ],
  works: ({ twin }: { twin: readonly Told[] }) => says(twin, /one|two/) && says(twin, "done"),
};

export const processes: readonly Row[] = [
  {
    id: "XG1",
    attack: "outlive the call: setsid, nohup, double fork, disown, at, systemd-run, tmux, docker",
    calls: (world) => [
      write(
        "linger.sh",
        `setsid -f ${lingering(world)}; nohup ${lingering(world)} & ( ( ${lingering(world)} & ) & ); ${lingering(world)} & disown -a; trap '' HUP TERM INT; echo '${lingering(world)}' | at now; systemd-run --user ${lingering(world)}; tmux new -d '${lingering(world)}'; docker run -d x; echo started\n`,
      ),
      run("bash", "linger.sh"),
      call("start_process", { argv: ["bash", "linger.sh"], wait_seconds: 1 }),
    ],
    escaped: ({ attack }) => !says(attack, "started") && "the attack did not run",
    twin: background,
    needs: ["perl"],
  },
  {
    id: "XG1b",
    attack: "outlive croft, which is killed in the middle of a command",
    calls: (world) => [
      write(
        "linger.sh",
        `trap '' HUP TERM INT; setsid -f ${lingering(world)}; ${lingering(world)} & echo under way; while :; do sleep 1; done\n`,
      ),
      command(["bash", "linger.sh"], 60),
    ],
    killedAt: "under way",
    twin: {
      does: "works again in the next session",
      calls: () => [run("ls")],
      works: ({ twin }) => says(twin, "add.js"),
    },
    needs: ["perl"],
  },
  {
    id: "XG3",
    attack: "ignore TERM, stop itself, leave zombies behind",
    calls: () => [
      write("deaf.sh", "trap '' TERM HUP INT; echo deaf; while :; do sleep 1; done\n"),
      command(["bash", "deaf.sh"], 1),
      command(["perl", "-e", '$| = 1; print "stopped\\n"; kill "STOP", $$; sleep 60'], 1),
      command(["perl", "-e", '$| = 1; for (1 .. 200) { fork or exit } print "zombies\\n"; sleep 60'], 1),
    ],
    escaped: ({ attack }) =>
      attack.filter(({ text }) => text.startsWith("timed out")).length !== 3 && "a time limit did not hold",
    twin: background,
    needs: ["perl"],
  },
  {
    id: "XG4",
    attack: "fork without end",
    // Bounded, so that this machine stands where the limit does not: 1,024 are allowed.
    calls: () => [
      command(
        [
          "perl",
          "-e",
          '$| = 1; my $n = 0; for (1 .. 1500) { my $p = fork; last unless defined $p; if (!$p) { sleep 60; exit } $n++ } print "made $n\\n"; kill 9, -1',
        ],
        30,
      ),
    ],
    escaped: ({ attack }) => says(attack, "made 1500") && "there is no limit on processes",
    twin: background,
    needs: ["perl"],
    limits: "processes",
  },
  {
    id: "XG5",
    attack: "fill the memory, /tmp, /dev/shm and the home",
    calls: () => [
      ...hostile(
        "for d in /tmp /dev/shm ~; do head -c 20000000000 /dev/zero > $d/filled; stat -c '%s %n' $d/filled; rm -f $d/filled; done; ulimit -f",
      ),
      command(["perl", "-e", 'my @all; for (1 .. 200) { push @all, "x" x 100_000_000 } print "took it all\\n"'], 60),
    ],
    escaped: ({ attack }) => {
      if (!says(attack, /^\d+ \/tmp\/filled/m)) return "the attack did not run";
      return says(attack, /^(?:[6-9]\d{9}|\d{11,}) |took it all|unlimited/m) && "there is no limit on memory";
    },
    twin: background,
    needs: ["perl"],
    slow: true,
  },
  {
    id: "XG5b",
    attack: "fill the memory with twelve processes that take a tenth each",
    calls: () => [
      command(
        [
          "perl",
          "-e",
          'open my $f, "/proc/meminfo"; <$f> =~ /(\\d+)/; my $tenth = $1 * 100; pipe my $in, my $out; for (1 .. 12) { next if fork; my $all = "x" x $tenth; syswrite $out, "x"; sleep 10; exit } close $out; my $n = 0; $n++ while sysread $in, my $one, 1; print "$n took it\\n"',
        ],
        55,
      ),
    ],
    escaped: ({ attack }) => {
      if (!says(attack, /\d took it|exit code 137/)) return "the attack did not run";
      return says(attack, "12 took it") && "there is no limit on the memory of all together";
    },
    twin: background,
    needs: ["perl"],
    limits: "memory",
    slow: true,
  },
  {
    id: "XG6",
    attack: "fill the disk: one file without end, twenty thousand empty ones",
    calls: () => [
      ...hostile(
        "truncate -s 1T sparse1; fallocate -l 1T sparse2; dd if=/dev/zero of=sparse3 bs=1 count=1 seek=900G; stat -c '%s %n' sparse*; rm -f sparse*",
      ),
      write(
        "many.js",
        "const fs = require('fs'); fs.mkdirSync('many'); for (let n = 0; n < 20000; n++) fs.writeFileSync('many/' + n, ''); console.log('made');\n",
      ),
      run("node", "many.js"),
      [call("list_files", { path: "many" }), call("search", { pattern: "nothing" })],
    ],
    escaped: ({ attack }) => says(attack, /^\d{11,} /m) && "a file may be of any size",
    twin: {
      does: "goes on in a large tree",
      calls: () => [shell("ls many | wc -l"), read("add.js")],
      works: ({ twin }) => says(twin, "20000") && says(twin, "a + b"),
    },
  },
  {
    id: "XG7",
    attack: "floods of output: yes, no newline, on both streams, cut characters",
    calls: () => [
      command(["yes"], 1),
      command(["bash", "-c", "yes | tr -d '\\n' | head -c 50000000"], 20),
      command(["bash", "-c", "yes é | head -c 20000001 >&2 & yes ü | head -c 20000001; wait"], 20),
      command(["head", "-c", "5000000", "/dev/urandom"], 20),
    ],
    escaped: ({ attack }) => attack.some(({ text }) => text.length > 60_000) && "the model got all of it",
    twin: {
      does: "sees the start and the end of a long output",
      calls: () => [shell("seq 1000000")],
      works: ({ twin }) => says(twin, "\n1\n2\n") && says(twin, "\n1000000\n"),
    },
  },
  {
    id: "XG8",
    attack: "a line of 50 MB, folders 900 deep, paths beyond PATH_MAX",
    calls: () => [
      write(
        "deep.js",
        "const fs = require('fs'); fs.writeFileSync('line', 'x'.repeat(5e7)); for (let n = 0; n < 900; n++) { fs.mkdirSync('deep-folder'); process.chdir('deep-folder'); }\n",
      ),
      run("node", "deep.js"),
      [
        read("line"),
        call("search", { pattern: "y", path: "line" }),
        call("list_files", { depth: 1_000 }),
        call("search", { pattern: "nothing" }),
        read("deep-folder/".repeat(500) + "x"),
      ],
      run("true"),
    ],
    escaped: ({ code }) => code !== 0 && `croft ended with ${code}`,
    twin: {
      does: "works beside it",
      calls: () => [run("ls"), read("add.js")],
      works: ({ twin }) => says(twin, "deep-folder") && says(twin, "a + b"),
    },
  },
  {
    id: "XG11",
    attack: "two hundred calls at once, twenty servers at once",
    calls: () => [
      Array.from({ length: 200 }, (_, n) => call("search", { pattern: `x${n}` })),
      Array.from({ length: 20 }, (_, n) => call("start_process", { argv: ["sleep", `${300 + n}`], wait_seconds: 0 })),
    ],
    escaped: ({ attack }) =>
      attack.filter(({ text }) => text.includes("is running\n")).length > 8 && "any number of servers ran",
    twin: { does: "runs a command beside them", calls: () => [run("ls")], works: ({ twin }) => says(twin, "add.js") },
  },
  {
    id: "XG12",
    attack: "kill -9 -1, kill the parent, trace and slow down croft",
    calls: () => [
      write(
        "kill.sh",
        "kill -9 $PPID; kill -STOP 1; kill -9 1; for p in $(seq 2 40000); do [ $p = $$ ] || kill -9 $p; done 2>/dev/null; renice 19 1; kill -9 -1\n",
      ),
      run("bash", "kill.sh"),
      command(["perl", "-e", "for my $p (1 .. 40000) { kill 9, $p unless $p == $$ } kill 9, -1"], 10),
    ],
    escaped: ({ code }) => code !== 0 && `croft ended with ${code}`,
    twin: background,
  },
  {
    id: "XG15",
    attack: "listen where the user's browser looks: a port of this machine",
    meanwhile: (world) => {
      const timer = setInterval(() => {
        const socket = connect({ port: portOf(world), host: "127.0.0.1" }, () =>
          plant(join(world.outside, "PWNED"), "a port\n"),
        );
        socket.on("error", () => undefined).on("connect", () => socket.destroy());
      }, 20);
      return { [Symbol.dispose]: () => clearInterval(timer) };
    },
    calls: (world) => [
      write(
        "listen.js",
        `for (const host of ["127.0.0.1", "0.0.0.0", "::"]) require("http").createServer((q, a) => a.end("evil")).on("error", () => {}).listen(${portOf(world)}, host, () => console.log("listens"));\n`,
      ),
      call("start_process", { argv: ["node", "listen.js"], wait_seconds: 2 }),
      run("sleep", "0.3"),
      call("stop_process", { id: "process-1" }),
    ],
    escaped: ({ attack }) => !says(attack, "listens") && "the attack did not run",
    twin: {
      ...serves,
      calls: () => serves.calls().map((step) => JSON.parse(JSON.stringify(step).replace("process-1", "process-2"))),
    },
  },
];

/** One that nobody else is likely to use. */
function portOf({ mark }: World): number {
  return 20_000 + (Number.parseInt(mark.slice(0, 6), 16) % 10_000);
}
