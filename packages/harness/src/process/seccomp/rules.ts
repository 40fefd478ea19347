/** What the filter says to system calls; whatever is not named here is allowed. */

import type { Call } from "./calls.ts";

export type Rule =
  | { calls: readonly Call[]; answer: "refuse" | "unknown" }
  /** Refused if the argument has one of these bits, and so has another where there is a `when`. */
  | { calls: readonly Call[]; argument: number; bits: number; when?: Bits }
  /** Refused if the argument, as 32 bits, is one of these. */
  | { calls: readonly Call[]; argument: number; among: readonly number[] }
  | { calls: readonly Call[]; argument: number; notAmong: readonly number[] };

type Bits = { argument: number; bits: number };

/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET. */
const newNamespaces = 0x7e02_0000;

/** Runs as the owner of the file, whoever starts it: a file for others to find on the disk. */
const setUserId = 0o4000;
/** O_CREAT and O_TMPFILE: without them there is no mode, whatever stands in its place. */
const creates = 0x40_0040;

/** Keys into a terminal (TIOCSTI), and the many things of a console (TIOCLINUX). */
const terminalInput = [0x5412, 0x541c];

/** Local, IPv4, IPv6. */
const plainSockets = [1, 2, 10];

export const rules: readonly Rule[] = [
  // Its flags lie in memory where no filter sees them; told that it is not there, libc falls back to clone.
  { calls: ["clone3"], answer: "unknown" },
  // Programs that try these have a fallback, as on kernels without them.
  { calls: ["io_uring_setup", "io_uring_enter", "io_uring_register"], answer: "unknown" },
  { calls: ["ptrace", "process_vm_readv", "process_vm_writev", "kcmp", "pidfd_getfd"], answer: "refuse" },
  { calls: ["mount", "umount2", "pivot_root", "mount_setattr", "move_mount", "open_tree"], answer: "refuse" },
  { calls: ["fsopen", "fsmount", "fsconfig", "fspick", "quotactl"], answer: "refuse" },
  { calls: ["unshare", "setns"], answer: "refuse" },
  { calls: ["keyctl", "add_key", "request_key"], answer: "refuse" },
  { calls: ["bpf", "perf_event_open", "userfaultfd", "syslog"], answer: "refuse" },
  { calls: ["kexec_load", "kexec_file_load", "init_module", "finit_module", "delete_module"], answer: "refuse" },
  { calls: ["name_to_handle_at", "open_by_handle_at"], answer: "refuse" },
  // Its flags and mode lie in memory too.
  { calls: ["openat2"], answer: "unknown" },
  { calls: ["chmod", "fchmod", "creat", "mknod"], argument: 1, bits: setUserId },
  { calls: ["fchmodat", "fchmodat2", "mknodat"], argument: 2, bits: setUserId },
  { calls: ["open"], argument: 2, bits: setUserId, when: { argument: 1, bits: creates } },
  { calls: ["openat"], argument: 3, bits: setUserId, when: { argument: 2, bits: creates } },
  { calls: ["clone"], argument: 0, bits: newNamespaces },
  { calls: ["ioctl"], argument: 1, among: terminalInput },
  { calls: ["socket", "socketpair"], argument: 0, notAmong: plainSockets },
];
