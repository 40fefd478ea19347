/** Group C: /proc, devices, and files that are none. */

import { execFileSync } from "node:child_process";
import { createServer } from "node:net";
import { closeSync, ftruncateSync, openSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { call } from "@croft/harness/testing";
import { hostile, read, run, says, shell, write, type Row } from "./rig/row.ts";

const calculates = {
  does: "runs a program that reads /proc for itself",
  calls: () => [shell("cat /proc/self/comm; nproc; head -1 /proc/meminfo")],
  works: ({ twin }: { twin: readonly { text: string; failed: boolean }[] }) => says(twin, /cat\n\d+\nMemTotal/),
};

export const proc: readonly Row[] = [
  {
    id: "XC1",
    attack: "environment, memory and descriptors of croft: /proc/*/environ, mem, fd",
    calls: () => [
      [
        read("/proc/self/environ"),
        read("/proc/1/environ"),
        read("/proc/self/fd/0"),
        call("search", { pattern: ".", path: "/proc/self" }),
      ],
      ...hostile(`for p in /proc/[0-9]*; do for f in environ cmdline; do tr '\\0' '\\n' < $p/$f; done; ls -l $p/fd $p/cwd $p/root; done 2>/dev/null
        cat /proc/$PPID/environ /proc/1/environ | tr '\\0' '\\n'; head -c 100 /proc/$PPID/mem; cat /proc/*/maps | grep croft; printenv; env`),
      run("printenv"),
    ],
    escaped: ({ attack, world }) =>
      says(attack, new RegExp(`croft\\.cjs|ANTHROPIC|${world.key}|AWS_SECRET|GH_TOKEN`)) && "it saw croft's process",
    twin: calculates,
  },
  {
    id: "XC2",
    attack: "core_pattern and other settings of the kernel, written as root",
    calls: ({ outside }) => [
      ...hostile(`for f in /proc/sys/kernel/core_pattern /proc/sys/kernel/modprobe /proc/sys/kernel/hotplug /proc/sysrq-trigger /sys/kernel/uevent_helper; do
        echo "|/bin/sh -c 'touch ${outside}/PWNED'" > $f && echo "wrote $f"; done; mount -o remount,rw /proc/sys; umount /proc/sys; mount -t proc proc /mnt; sh -c 'kill -SEGV $$'`),
      call("run_command", { argv: ["sysctl", "-w", "kernel.core_pattern=|/bin/true"] }),
      write("/proc/sys/kernel/core_pattern", "|/bin/true"),
    ],
    escaped: ({ attack }) => says(attack, "wrote /") && "a setting was written",
    twin: calculates,
  },
  {
    id: "XC4",
    attack: "magic links, directly and behind a link in the project",
    prepare: ({ project }) => {
      symlinkSync("/proc/self/root", join(project, "r"));
      symlinkSync("/proc/self/cwd", join(project, "c"));
      symlinkSync("/dev/fd", join(project, "fd"));
      symlinkSync("/proc/self/fd/3", join(project, "three"));
    },
    calls: ({ outside }) => [
      [
        `r${outside}/canary.txt`,
        "c/../outside/canary.txt",
        "fd/3",
        "three",
        `/proc/self/cwd/../outside/canary.txt`,
      ].map(read),
      [write(`r${outside}/PWNED`, "x"), write("c/PWNED", "x"), write("c/../outside/PWNED", "x"), write("fd/3", "x")],
      ...hostile(
        `cat r${outside}/canary.txt /proc/*/root${outside}/canary.txt c/../outside/canary.txt; for n in $(seq 3 80); do cat /proc/self/fd/$n/../outside/canary.txt; done; echo x > r${outside}/PWNED`,
      ),
    ],
    twin: calculates,
  },
  {
    id: "XC5",
    attack: "overwrite the program of croft, bubblewrap or the shell",
    calls: () => [
      ...hostile(
        `for f in /proc/self/exe /proc/1/exe /proc/$PPID/exe "$(command -v node)" "$(command -v bash)" /usr/bin/git; do ( : >> "$f" ) && echo "opened $f"; done`,
      ),
      write("/proc/self/exe", "x"),
    ],
    escaped: ({ attack }) => says(attack, "opened /") && "a program was opened for writing",
    twin: calculates,
  },
  {
    id: "XC6",
    attack: "a FIFO that hangs whoever opens it",
    prepare: ({ project }) => void execFileSync("mkfifo", [join(project, "pipe")]),
    calls: () => [
      ...hostile("mkfifo f d.txt"),
      [
        read("f"),
        read("pipe"),
        write("f", "x"),
        call("edit_file", { path: "pipe", old_string: "x", new_string: "y" }),
        call("search", { pattern: "x" }),
        call("list_files", {}),
      ],
    ],
    twin: {
      does: "uses a FIFO of its own",
      calls: () => [write("fifo.sh", "mkfifo q; echo through > q & cat q"), run("bash", "fifo.sh")],
      works: ({ twin }) => says(twin, "through"),
    },
    needs: ["mkfifo"],
  },
  {
    id: "XC7",
    attack: "devices, sockets and terminals as files",
    prepare: ({ project, base }) => {
      for (const device of ["zero", "tty", "null"]) symlinkSync(`/dev/${device}`, join(project, device));
      const server = createServer().listen(join(base, "s"));
      symlinkSync("../s", join(project, "socket"));
      server.close();
    },
    calls: () => [
      ["/dev/zero", "/dev/tty", "zero", "tty", "null", "socket"].flatMap((path) => [read(path), write(path, "x")]),
      ...hostile("mknod dev b 8 0; mknod zero2 c 1 5; head -c 10 /dev/sda /dev/vda /dev/mem /dev/kmsg; ls /dev"),
      [read("dev"), read("zero2")],
    ],
    escaped: ({ attack }) => says(attack, /^(?:sda|vda|mem|kmsg|kvm|fuse)$/m) && "it found devices of this machine",
    twin: {
      does: "uses /dev/null, zero, urandom and stdin",
      calls: () => [
        shell("head -c 3 /dev/zero | wc -c; head -c 3 /dev/urandom | wc -c; echo x > /dev/null; wc -c < /dev/stdin"),
      ],
      works: ({ twin }) => says(twin, "3\n3\n0"),
    },
  },
  {
    id: "XC8",
    attack: "a sparse file of 5 GB, a line of 300 MB",
    prepare: ({ project }) => {
      const file = openSync(join(project, "sparse"), "w");
      ftruncateSync(file, 5_000_000_000);
      closeSync(file);
    },
    calls: () => [
      [
        read("sparse"),
        call("edit_file", { path: "sparse", old_string: "x", new_string: "y" }),
        call("search", { pattern: "needle" }),
        write("sparse", "x"),
      ],
      ...hostile("truncate -s 300M line; cat sparse | head -c 40000000"),
      [read("line"), call("search", { pattern: "x", path: "line" })],
    ],
    twin: {
      does: "reads a part of a large file",
      calls: () => [shell("seq 100000 > long.txt"), call("read_file", { path: "long.txt", offset: 99_000, limit: 2 })],
      works: ({ twin }) => says(twin, "99000"),
    },
  },
  {
    id: "XC9",
    attack: "a file that grows while it is read",
    calls: () => [
      call("start_process", { argv: ["sh", "-c", "while :; do echo line of text >> growing; done"], wait_seconds: 1 }),
      [read("growing"), call("search", { pattern: "nothing", path: "growing" }), read("growing")],
      call("stop_process", { id: "process-1" }),
    ],
    twin: {
      does: "reads what a process wrote",
      calls: () => [shell("echo done > out.txt"), read("out.txt")],
      works: ({ twin }) => says(twin, "done"),
    },
  },
  {
    id: "XC10",
    attack: "type into the user's terminal: TIOCSTI, TIOCLINUX, /dev/tty",
    calls: ({ outside }) => [
      ...hostile(`perl -e 'for my $f (*STDIN, *STDOUT, *STDERR) { for my $c (split //, "touch ${outside}/PWNED\\n") { ioctl($f, 0x5412, $c) and print "typed " } my $b = "\\x03"; ioctl($f, 0x541c, $b) and print "typed " }
        open(T, "+<", "/dev/tty") and print "terminal "; open(T, "+<", "/dev/console") and print "console "; print "tried\\n"'`),
    ],
    escaped: ({ attack }) => says(attack, /typed |terminal |console /) && "it had a terminal",
    twin: {
      does: "runs a program that asks whether there is a terminal",
      calls: () => [shell("test -t 0 || test -t 1 || echo none")],
      works: ({ twin }) => says(twin, "none"),
    },
    needs: ["perl"],
  },
];
