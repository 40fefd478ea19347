/** What every command finds of this system: programs and libraries, read-only, and nothing of anybody's own. */

import { lstatSync, readlinkSync } from "node:fs";
import type { Mount } from "./mount.ts";

/** Folders of programs and libraries. On most systems some of them are links into /usr. */
const folders = words`
  /usr /bin /sbin /lib /lib32 /lib64 /libx32 /opt /nix/store /gnu/store /snap /home/linuxbrew/.linuxbrew`;

/** Of /etc, what programs need to run and nothing that could hold a password or a token. */
const settings = words`
  ld.so.cache ld.so.conf ld.so.conf.d ld.so.preload alternatives
  passwd group nsswitch.conf hosts protocols services shells
  localtime timezone locale.conf locale.alias os-release debian_version lsb-release
  ssl/certs ssl/openssl.cnf ca-certificates ca-certificates.conf pki/tls/certs pki/tls/openssl.cnf pki/ca-trust pki/java
  crypto-policies
  mime.types magic magic.mime terminfo fonts
  java java-8-openjdk java-11-openjdk java-17-openjdk java-21-openjdk java-25-openjdk maven gradle
  python3 perl ruby php R openmpi ImageMagick-6 ImageMagick-7`;

/** Of /proc, what speaks of or to the whole machine. As root some of it could even be written. */
const machineWide = {
  readOnly: words`/proc/sys /proc/irq /proc/bus /proc/fs /proc/sysrq-trigger`,
  unreadable: words`/proc/acpi /proc/scsi`,
  empty: words`/proc/kcore /proc/keys /proc/timer_list /proc/kallsyms /proc/kmsg /proc/latency_stats`,
};

export function systemMounts(): Mount[] {
  return [
    ...folders.flatMap(asItIs),
    ...settings.map((name) => `/etc/${name}`).flatMap(asItIs),
    { kind: "processes", target: "/proc" },
    ...machineWide.readOnly.filter(isThere).map(readOnly),
    ...machineWide.unreadable.filter(isThere).map((target): Mount => ({ kind: "unreadable", target })),
    ...machineWide.empty.filter(isThere).map((target): Mount => ({ kind: "read-only", source: "/dev/null", target })),
    { kind: "devices", target: "/dev" },
  ];
}

/** A link stays the link it is: where it leads is mounted in its own place. */
function asItIs(path: string): Mount[] {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return [];
  return found.isSymbolicLink() ? [{ kind: "link", target: path, to: readlinkSync(path) }] : [readOnly(path)];
}

function readOnly(path: string): Mount {
  return { kind: "read-only", source: path, target: path };
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

function words(text: TemplateStringsArray): string[] {
  return text.join("").trim().split(/\s+/u);
}
