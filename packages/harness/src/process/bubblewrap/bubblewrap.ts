/**
 * The enclosure on Linux: bubblewrap, driven directly. What a command finds is a table of mounts (system, toolchains,
 * caches, the project with what the guard holds in it), made anew for each launch. One for each session; nothing is
 * shared between two.
 */

import { closeSync, mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../../error.ts";
import type { Confined, Enclosure, Launch } from "../enclosure.ts";
import type { Watch } from "../guard.ts";
import { makeControlGroup, type ControlGroup } from "../limits/control-group.ts";
import { defaultLimits, prlimit, type Limits } from "../limits/limits.ts";
import { forwarder, proxyVariables, socketInside } from "../proxy/forwarder.ts";
import { parseHost, type Host } from "../proxy/hosts.ts";
import { startProxy } from "../proxy/proxy.ts";
import { machineOf } from "../seccomp/calls.ts";
import { seccompFilter } from "../seccomp/filter.ts";
import { cacheVariables } from "./caches.ts";
import { isolation, variables } from "./flags.ts";
import { coverInherited } from "./inherited.ts";
import { mountArguments, type Mount } from "./mount.ts";
import type { BubblewrapOptions } from "./options.ts";
import { probe } from "./probe.ts";
import { projectMounts } from "./project.ts";
import { openStand, type OpenStand } from "./stand.ts";
import { copySettings, systemMounts } from "./system.ts";
import { foldersOf, toolchainMounts } from "./toolchains.ts";

/** What is opened with the first launch and closed with the enclosure. */
type Session = { stand: OpenStand; group: ControlGroup; common: readonly Mount[]; limits: Limits };

/** Joins the control groups that it is told, as many as the first argument says, then becomes the rest. */
const joinGroups =
  'n=$1; shift; while [ "$n" -gt 0 ]; do echo $$ > "$1" || exit 125; shift; n=$((n-1)); done; exec "$@"';

/** The first descriptor that a launch hands on. */
const filterDescriptor = 3;

/** Throws E_BAD_ROOT for a project that holds the home folder or lies in the system's own folders. */
export function bubblewrap(options: BubblewrapOptions): Enclosure {
  assertOwnPlace(options);
  let opened: Session | undefined;
  let launches = 0;
  const session = (): Session => (opened ??= openSession(options));

  async function launch(command: Confined, signal: AbortSignal): Promise<Launch> {
    const { bwrap } = options.programs;
    if (bwrap === undefined) throw new Failure("E_NO_ENCLOSURE", "bubblewrap is not installed.");
    const hosts = command.hosts.map(parseHost);
    const { stand, group, common, limits } = session();
    await using held = new AsyncDisposableStack();
    const watch: Watch = held.use(await options.guard.watch(command.profile, signal));
    const filter = held.adopt(stand.openFilter(), closeSync);
    const empty = held.adopt(stand.openEmpty(), closeSync);
    const way = await openWay(hosts, join(stand.folder, `proxy-${(launches += 1)}`), held, options);
    const argv = [
      ...joining(group),
      bwrap,
      ...isolation,
      ...variables(environmentOf(options, way.variables, hosts)),
      ...mountArguments([...common, ...projectMounts(options.root, watch.places, stand), ...way.mounts]),
      "--chdir",
      join(options.root, command.cwd),
      "--seccomp",
      String(filterDescriptor),
      "--",
      ...(options.programs.prlimit === undefined ? [] : prlimit(options.programs.prlimit, limits)),
      ...way.argv,
      ...command.argv,
    ];
    const owned = held.move();
    return {
      argv: asArgv(argv),
      cwd: "/",
      env: {},
      descriptors: coverInherited([filter], empty),
      [Symbol.asyncDispose]: () => owned.disposeAsync(),
    };
  }

  return {
    probe: (signal) =>
      probe({ ...options.programs, root: options.root, limits: () => session().group.limits, launch }, signal),
    launch,
    inspect: (signal) => options.guard.inspect(signal),
    close: async () => {
      await opened?.group.remove();
      opened?.stand.remove();
      opened = undefined;
    },
  };
}

function openSession({ root, home, searchPath, cache, limits: given }: BubblewrapOptions): Session {
  const machine = machineOf();
  if (machine === undefined) {
    throw new Failure("E_NO_ENCLOSURE", `croft has no list of system calls for ${process.arch}.`);
  }
  const limits = { ...defaultLimits(), ...given };
  mkdirSync(cache, { recursive: true, mode: 0o700 });
  const stand = openStand(seccompFilter(machine), [root, realpathSync(cache)]);
  const etc = join(stand.folder, "etc");
  copySettings(etc);
  const scratch = (target: string, mode: string): Mount => ({ kind: "scratch", target, bytes: limits.scratch, mode });
  return {
    stand,
    limits,
    group: makeControlGroup(stand.folder.slice(stand.folder.lastIndexOf("/") + 1), limits),
    common: [
      ...systemMounts(etc, process.getuid?.() === 0),
      scratch("/tmp", "1777"),
      scratch("/dev/shm", "1777"),
      scratch(home, "0700"),
      ...toolchainMounts(home, root, searchPath),
      { kind: "writable", source: realpathSync(cache), target: realpathSync(cache) },
    ],
  };
}

/** The way out, where hosts are named: a proxy here, its socket file inside, and a forwarder in front of the command. */
async function openWay(
  hosts: readonly Host[],
  socketFile: string,
  held: AsyncDisposableStack,
  { resolve }: BubblewrapOptions,
): Promise<{ mounts: Mount[]; argv: string[]; variables: Record<string, string> }> {
  if (hosts.length === 0) return { mounts: [], argv: [], variables: {} };
  held.adopt(await startProxy(socketFile, hosts, resolve), (proxy) => proxy.close());
  const node = realpathSync(process.execPath);
  return {
    mounts: [
      { kind: "read-only", source: socketFile, target: socketInside },
      { kind: "read-only", source: node, target: node },
    ],
    argv: forwarder(node),
    variables: proxyVariables(hosts.some(({ local }) => local)),
  };
}

function environmentOf(
  { environment, home, searchPath, cache }: BubblewrapOptions,
  way: Readonly<Record<string, string>>,
  hosts: readonly Host[],
): Record<string, string> {
  return {
    ...environment,
    PATH: foldersOf(searchPath).join(":"),
    HOME: home,
    TMPDIR: "/tmp",
    // Files may belong to users that do not exist inside, and no command here can harm their owner.
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: "safe.directory",
    GIT_CONFIG_VALUE_0: "*",
    ...cacheVariables(realpathSync(cache), home, hosts.length > 0),
    ...way,
  };
}

function joining({ members }: ControlGroup): string[] {
  if (members.length === 0) return [];
  return ["/bin/sh", "-c", joinGroups, "sh", String(members.length), ...members];
}

function asArgv(words: readonly string[]): [string, ...string[]] {
  const [program = "", ...rest] = words;
  return [program, ...rest];
}

function assertOwnPlace({ root, home }: BubblewrapOptions): void {
  const own = root.startsWith("/") && root !== "/" && home !== root && !home.startsWith(`${root}/`);
  const systems = ["/usr", "/etc", "/proc", "/dev", "/bin", "/lib", "/sbin", "/tmp", "/run"];
  if (own && !systems.includes(root) && !/^\/(?:proc|dev)\//.test(root)) return;
  throw new Failure("E_BAD_ROOT", `${root} cannot be given to commands: it holds more than a project.`, {
    remedy: "Start croft in the folder of the project.",
  });
}
