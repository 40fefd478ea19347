/**
 * The enclosure on Linux: bubblewrap, driven directly. What a command finds is a table of mounts (system, toolchains,
 * caches, the project with what the guard holds in it), made anew for each launch. One for each session; nothing is
 * shared between two.
 */

import { closeSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../../error.ts";
import type { Confined, Enclosure, Launch } from "../enclosure.ts";
import type { ControlGroup } from "../limits/control-group.ts";
import { prlimit } from "../limits/limits.ts";
import { parseHost } from "../proxy/hosts.ts";
import { createHoldings } from "../system/holdings.ts";
import { cacheVariables } from "./caches.ts";
import { offlineVariables } from "./offline.ts";
import { countAt, firstProcess } from "./first-process.ts";
import { isolation, variables } from "./flags.ts";
import { coverInherited } from "./inherited.ts";
import { mountArguments } from "./mount.ts";
import type { BubblewrapOptions } from "./options.ts";
import { probe } from "./probe.ts";
import { projectMounts } from "./project.ts";
import { openSession, type Session } from "./session.ts";
import { foldersOf } from "./toolchains.ts";
import { openEgress } from "./egress.ts";

/** Joins the control groups that it is told, as many as the first argument says, then becomes the rest. */
const joinGroups =
  'n=$1; shift; while [ "$n" -gt 0 ]; do echo $$ > "$1" || exit 125; shift; n=$((n-1)); done; exec "$@"';

/** The first descriptor that a launch hands on. */
const filterDescriptor = 3;

/** Where there is no home, as for users that are only a number. */
const homeless = "/home/sandbox";

/** Throws E_BAD_ROOT for a project that holds the home folder or folders of the system. */
export function bubblewrap(given: BubblewrapOptions): Enclosure {
  const options = { ...given, home: given.home === "/" ? homeless : given.home };
  assertOwnPlace(options);
  const { root, guard, programs } = options;
  let session: Session | undefined;
  let launches = 0;
  const open = (): Session => (session ??= openSession(options));

  async function launch(command: Confined, signal: AbortSignal): Promise<Launch> {
    const { argv, cwd, profile, hosts: names, tree, readOnly, handed = [] } = command;
    if (programs.bwrap === undefined) throw new Failure("E_NO_ENCLOSURE", "bubblewrap is not installed.");
    const hosts = names.map(parseHost);
    const { files, group, mounts, limits, cache } = open();
    await using held = createHoldings();
    const watch = held.use(await guard.watch(profile, signal));
    const filter = files.openFilter();
    held.defer(() => closeSync(filter));
    const empty = files.openEmpty();
    held.defer(() => closeSync(empty));
    const egress = held.use(await openEgress(hosts, join(files.folder, `proxy-${(launches += 1)}`), options.resolve));
    const environment = {
      ...options.environment,
      ...always(options),
      ...cacheVariables(cache, options.home, hosts.length > 0),
      ...(hosts.length === 0 && offlineVariables),
      ...egress.variables,
    };
    const start = [...joining(group), programs.bwrap, ...isolation];
    const inside = [
      ...mounts,
      ...projectMounts(root, watch.places, { masks: files, tree, readOnly }),
      ...egress.mounts,
    ];
    const limited = programs.prlimit === undefined ? [] : prlimit(programs.prlimit, limits);
    start.push(...variables(environment), ...mountArguments(inside), "--chdir", join(root, cwd));
    start.push("--seccomp", String(filterDescriptor), "--", ...firstProcess, ...limited, ...egress.argv, ...argv);
    const own = handed.length === 0 ? [filter, empty] : [filter, empty, empty, ...handed];
    const descriptors = coverInherited(own, empty);
    const [program = programs.bwrap, ...rest] = start;
    return {
      argv: [program, ...rest],
      cwd: "/",
      env: {},
      descriptors,
      countAt,
      endsWhole: true,
      ...held.move(),
    };
  }

  return {
    probe: (signal) => probe({ ...programs, root, session: open, launch }, signal),
    launch,
    inspect: (signal) => guard.inspect(signal),
    close: async () => {
      await session?.close();
      session = undefined;
    },
  };
}

function always({ home, searchPath }: BubblewrapOptions): Record<string, string> {
  return {
    PATH: foldersOf(searchPath).join(":"),
    HOME: home,
    TMPDIR: "/tmp",
    // Files may belong to users that do not exist inside, and no command here can harm their owner.
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: "safe.directory",
    GIT_CONFIG_VALUE_0: "*",
  };
}

function joining({ members }: ControlGroup): string[] {
  if (members.length === 0) return [];
  return ["/bin/sh", "-c", joinGroups, "sh", String(members.length), ...members];
}

/** Folders that others than this project live in. */
const shared: ReadonlySet<string> = new Set([
  "/",
  "/usr",
  "/etc",
  "/proc",
  "/dev",
  "/bin",
  "/lib",
  "/sbin",
  "/tmp",
  "/run",
]);

function assertOwnPlace({ root, home }: BubblewrapOptions): void {
  const wide = shared.has(root) || home === root || home.startsWith(`${root}/`);
  if (root.startsWith("/") && !wide && !/^\/(?:proc|dev)\//.test(root)) return;
  throw new Failure("E_BAD_ROOT", `${root} cannot be given to commands: it holds more than a project.`, {
    remedy: "Start croft in the folder of the project.",
  });
}
