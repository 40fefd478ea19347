/** What every command finds of this system: programs and libraries, read-only, and nothing of anybody's own. */

import { copyFileSync, lstatSync, mkdirSync, readlinkSync, realpathSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { words } from "../../word-list.ts";
import type { Mount } from "./mount.ts";

/** Folders of programs and libraries. On most systems some of them are links into /usr. */
const folders = words`
  /usr /bin /sbin /lib /lib32 /lib64 /libx32 /opt /nix/store /gnu/store /snap /home/linuxbrew/.linuxbrew`;

/** Of /etc, what programs need to run and nothing that could hold a password or a token: files, which are copied. */
const settings = words`
  ld.so.cache ld.so.conf ld.so.preload passwd group nsswitch.conf hosts protocols services shells
  localtime timezone locale.conf locale.alias os-release debian_version lsb-release
  ssl/openssl.cnf pki/tls/openssl.cnf mime.types magic magic.mime maven/m2.conf`;

/** And folders, which may be large. */
const settingFolders = words`
  alternatives ssl/certs pki/tls/certs pki/ca-trust pki/java crypto-policies fonts php R
  java java-8-openjdk java-11-openjdk java-17-openjdk java-21-openjdk java-25-openjdk`;

/** Of /proc, what speaks to the whole machine. Its files are root's, and root without capabilities can still write them. */
const machineWide = words`/proc/irq /proc/bus /proc/fs /proc/acpi /proc/scsi /proc/asound /proc/sysrq-trigger`;

/** `etc`: a folder made by `copySettings`. */
export function systemMounts(etc: string, asRoot: boolean): Mount[] {
  return [
    ...folders.flatMap(asItIs),
    { kind: "read-only", source: etc, target: "/etc" },
    ...settingFolders.map((name) => join("/etc", name)).flatMap(readOnlyFolder),
    { kind: "processes", target: "/proc" },
    readOnly("/proc/sys"),
    ...(asRoot ? machineWide.filter(isThere).map(readOnly) : []),
    { kind: "devices", target: "/dev" },
  ];
}

/**
 * Files are copied, since each mount takes its time with every command; folders get a place to be mounted on. What this
 * user may not read is left out.
 */
export function copySettings(etc: string): void {
  for (const name of settings) copyIfReadable(join("/etc", name), join(etc, name));
  for (const name of settingFolders) if (isThere(join("/etc", name))) mkdirSync(join(etc, name), { recursive: true });
}

function copyIfReadable(from: string, to: string): void {
  try {
    mkdirSync(dirname(to), { recursive: true });
    if (lstatSync(from).isSymbolicLink()) symlinkSync(readlinkSync(from), to);
    else copyFileSync(from, to);
  } catch {
    // Not there, as on many a system.
  }
}

/** Where it is itself a link, what it leads to. */
function readOnlyFolder(path: string): Mount[] {
  return isThere(path) ? [{ kind: "read-only", source: realpathSync(path), target: path }] : [];
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
