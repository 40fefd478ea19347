/**
 * The enclosure on macOS: Seatbelt, through @anthropic-ai/sandbox-runtime. Written against the documentation of both;
 * it has never run on macOS. That library serves one session in a process, so a second one is refused.
 */

import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { SandboxManager } from "@anthropic-ai/sandbox-runtime";
import { Failure } from "../../error.ts";
import type { BubblewrapOptions } from "../bubblewrap/options.ts";
import { cacheVariables } from "../bubblewrap/caches.ts";
import { offlineVariables } from "../bubblewrap/offline.ts";
import { foldersOf, toolchainMounts } from "../bubblewrap/toolchains.ts";
import type { Confined, Enclosure, Launch } from "../enclosure.ts";
import { parseHost, type Host } from "../proxy/hosts.ts";
import { createHoldings } from "../system/holdings.ts";
import { openScratch, ownFolder, type Scratch } from "../system/scratch.ts";
import { probe } from "./probe.ts";
import { commandLine, domainsFor, filesystemFor, type Grounds } from "./profile.ts";

export type SeatbeltOptions = Pick<
  BubblewrapOptions,
  "root" | "guard" | "home" | "homeFiles" | "searchPath" | "environment" | "cache"
>;

const gitConfig = ".gitconfig";

type Manager = typeof SandboxManager;
type Session = { manager: Manager; grounds: Grounds; scratch: Scratch };

/** Nothing is loaded or started before the first launch. */
export function seatbelt(options: SeatbeltOptions): Enclosure {
  const { root, guard, home, searchPath, environment } = options;
  let session: Promise<Session> | undefined;

  async function launch(command: Confined, signal: AbortSignal): Promise<Launch> {
    const { argv, cwd, profile, hosts, tree, readOnly, handed = [] } = command;
    // Nothing can be mounted here.
    if (tree !== undefined) throw new Failure("E_NOT_ENCLOSED", "On macOS no copy can stand in the project's place.");
    const named = hosts.map(parseHost);
    const { manager, grounds } = await (session ??= openSession(options));
    await using held = createHoldings();
    const watch = held.use(await guard.watch(profile, signal));
    const commandId = randomBytes(24).toString("base64url");
    manager.registerCommandNetworkLists(commandId, { allowedDomains: domainsFor(named) });
    held.defer(() => manager.unregisterCommandNetworkLists(commandId));
    const line = commandLine(["/usr/bin/env", ...instead(grounds.scratch, named), ...argv]);
    const filesystem = filesystemFor(grounds, watch.places, { readOnly });
    const wrapped = await manager.wrapWithSandboxArgv(line, "/bin/bash", { filesystem }, signal, undefined, {
      commandId,
    });
    const [program = "", ...rest] = wrapped.argv;
    return {
      argv: [program, ...rest],
      cwd: join(root, cwd),
      env: {
        ...environment,
        ...cacheVariables(grounds.cache, home, named.length > 0),
        ...(named.length === 0 && offlineVariables),
        PATH: foldersOf(searchPath).join(":"),
        HOME: home,
        NODE_USE_ENV_PROXY: "1",
        // The user's own cannot be read, which git takes for an error.
        GIT_CONFIG_GLOBAL: join(grounds.scratch, gitConfig),
      },
      // The places of those that another enclosure would need are filled with what is handed on anyway.
      descriptors: handed.flatMap((one, at) => (at === 0 ? [one, one, one, one] : [one])),
      endsWhole: false,
      ...held.move(),
    };
  }

  return {
    probe: (signal) => probe(home, launch, signal),
    launch,
    inspect: (signal) => guard.inspect(signal),
    async close() {
      const open = await session?.catch(() => undefined);
      session = undefined;
      await open?.manager.reset();
      open?.scratch[Symbol.dispose]();
    },
  };
}

/**
 * Variables in place of the library's own: its TMPDIR is shared by all of its sessions, and it sends what is named
 * localhost past the proxy, where nothing is reached.
 */
function instead(scratch: string, hosts: readonly Host[]): string[] {
  return [`TMPDIR=${scratch}`, ...(hosts.some(({ local }) => local) ? ["NO_PROXY=", "no_proxy="] : [])];
}

/** Throws E_NO_ENCLOSURE, E_ENCLOSURE_TAKEN, the system's error. */
async function openSession({
  root,
  home,
  homeFiles = {},
  cache,
  searchPath,
  environment,
}: SeatbeltOptions): Promise<Session> {
  const manager = await loadManager();
  if (manager.getConfig() !== undefined) throw taken();
  const { errors } = manager.checkDependencies();
  if (errors.length > 0) throw new Failure("E_NO_ENCLOSURE", `There is no sandbox here: ${errors.join(", ")}.`);
  const ownCache = ownFolder(cache);
  const scratch = openScratch({ [gitConfig]: homeFiles[gitConfig] ?? "" });
  const toolchains = toolchainMounts({ root, home, searchPath, environment }).map(({ target }) => target);
  const grounds = { root, home, cache: ownCache, scratch: scratch.folder, toolchains };
  try {
    const network = { allowedDomains: [], deniedDomains: [] };
    await manager.initialize({ network, filesystem: filesystemFor(grounds, []) });
    return { manager, grounds, scratch };
  } catch (thrown) {
    scratch[Symbol.dispose]();
    await manager.reset();
    throw thrown;
  }
}

async function loadManager(): Promise<Manager> {
  try {
    return (await import("@anthropic-ai/sandbox-runtime")).SandboxManager;
  } catch (cause) {
    throw new Failure("E_NO_ENCLOSURE", "@anthropic-ai/sandbox-runtime is not installed.", {
      cause,
      remedy: "Install croft again with its optional dependencies.",
    });
  }
}

function taken(): Failure {
  return new Failure("E_ENCLOSURE_TAKEN", "Another session has the sandbox, of which macOS has one a process.", {
    remedy: "Run the second session in a process of its own.",
  });
}
