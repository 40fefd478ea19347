/** The numbers of system calls on the machines we know, by name. */

import { arch } from "node:os";

/** `audit`: how the kernel names the machine. `foreign`: numbers from here on belong to another calling convention. */
export type Machine = { audit: number; foreign: number | undefined; calls: Readonly<Record<Call, number>> };

/** Everything the filter has an opinion on. */
export type Call = (typeof names)[number];

const names = [
  "add_key",
  "bpf",
  "clone",
  "clone3",
  "delete_module",
  "finit_module",
  "fsconfig",
  "fsmount",
  "fsopen",
  "fspick",
  "init_module",
  "io_uring_enter",
  "io_uring_register",
  "io_uring_setup",
  "ioctl",
  "kcmp",
  "kexec_file_load",
  "kexec_load",
  "keyctl",
  "mount",
  "mount_setattr",
  "move_mount",
  "name_to_handle_at",
  "open_by_handle_at",
  "open_tree",
  "perf_event_open",
  "pidfd_getfd",
  "pivot_root",
  "process_vm_readv",
  "process_vm_writev",
  "ptrace",
  "quotactl",
  "request_key",
  "setns",
  "socket",
  "socketpair",
  "syslog",
  "umount2",
  "unshare",
  "userfaultfd",
] as const;

/** Calls that came after the tables were joined have one number everywhere. */
const common = {
  clone3: 435,
  fsconfig: 431,
  fsmount: 432,
  fsopen: 430,
  fspick: 433,
  io_uring_enter: 426,
  io_uring_register: 427,
  io_uring_setup: 425,
  mount_setattr: 442,
  move_mount: 429,
  open_tree: 428,
  pidfd_getfd: 438,
} as const;

const machines: ReadonlyMap<string, Machine> = new Map<string, Machine>([
  [
    "x64",
    {
      audit: 0xc000_003e,
      foreign: 0x4000_0000,
      calls: {
        ...common,
        add_key: 248,
        bpf: 321,
        clone: 56,
        delete_module: 176,
        finit_module: 313,
        init_module: 175,
        ioctl: 16,
        kcmp: 312,
        kexec_file_load: 320,
        kexec_load: 246,
        keyctl: 250,
        mount: 165,
        name_to_handle_at: 303,
        open_by_handle_at: 304,
        perf_event_open: 298,
        pivot_root: 155,
        process_vm_readv: 310,
        process_vm_writev: 311,
        ptrace: 101,
        quotactl: 179,
        request_key: 249,
        setns: 308,
        socket: 41,
        socketpair: 53,
        syslog: 103,
        umount2: 166,
        unshare: 272,
        userfaultfd: 323,
      },
    },
  ],
  [
    "arm64",
    {
      audit: 0xc000_00b7,
      foreign: undefined,
      calls: {
        ...common,
        add_key: 217,
        bpf: 280,
        clone: 220,
        delete_module: 106,
        finit_module: 273,
        init_module: 105,
        ioctl: 29,
        kcmp: 272,
        kexec_file_load: 294,
        kexec_load: 104,
        keyctl: 219,
        mount: 40,
        name_to_handle_at: 264,
        open_by_handle_at: 265,
        perf_event_open: 241,
        pivot_root: 41,
        process_vm_readv: 270,
        process_vm_writev: 271,
        ptrace: 117,
        quotactl: 60,
        request_key: 218,
        setns: 268,
        socket: 198,
        socketpair: 199,
        syslog: 116,
        umount2: 39,
        unshare: 97,
        userfaultfd: 282,
      },
    },
  ],
]);

/** Undefined for a machine whose numbers we do not have. */
export function machineOf(name: string = arch()): Machine | undefined {
  return machines.get(name);
}
