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
import { foldersOf, toolchainMounts } from "../bubblewrap/toolchains.ts";
import type { Confined, Enclosure, Launch } from "../enclosure.ts";
import { parseHost } from "../proxy/hosts.ts";
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

  async function launch({ argv, cwd, profile, hosts }: Confined, signal: AbortSignal): Promise<Launch> {
    const domains = domainsFor(hosts.map(parseHost));
    const { manager, grounds } = await (session ??= openSession(options));
    await using held = new AsyncDisposableStack();
    const watch = held.use(await guard.watch(profile, signal));
    const commandId = randomBytes(24).toString("base64url");
    manager.registerCommandNetworkLists(commandId, { allowedDomains: domains });
    held.defer(() => manager.unregisterCommandNetworkLists(commandId));
    // The library sets TMPDIR to a folder that all of its sessions share.
    const line = commandLine(["/usr/bin/env", `TMPDIR=${grounds.scratch}`, ...argv]);
    const filesystem = filesystemFor(grounds, watch.places);
    const wrapped = await manager.wrapWithSandboxArgv(line, "/bin/bash", { filesystem }, signal, undefined, {
      commandId,
    });
    const [program = "", ...rest] = wrapped.argv;
    const owned = held.move();
    return {
      argv: [program, ...rest],
      cwd: join(root, cwd),
      env: {
        ...environment,
        ...cacheVariables(grounds.cache, home, domains.length > 0),
        PATH: foldersOf(searchPath).join(":"),
        HOME: home,
        // The user's own cannot be read, which git takes for an error.
        GIT_CONFIG_GLOBAL: join(grounds.scratch, gitConfig),
      },
      descriptors: [],
      endsWhole: false,
      [Symbol.asyncDispose]: () => owned.disposeAsync(),
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

/** Throws E_NO_ENCLOSURE, the system's error. */
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
  using stack = new DisposableStack();
  const scratch = stack.use(openScratch({ [gitConfig]: homeFiles[gitConfig] ?? "" }));
  const toolchains = toolchainMounts({ root, home, searchPath, environment }).map(({ target }) => target);
  const grounds = { root, home, cache: ownFolder(cache), scratch: scratch.folder, toolchains };
  // Its scratch folder makes it differ from any other session's, which the library refuses while this one begins.
  const network = { allowedDomains: [], deniedDomains: [] };
  try {
    await manager.initialize({ network, filesystem: filesystemFor(grounds, []) });
  } catch (cause) {
    throw manager.getConfig() === undefined ? cause : taken(cause);
  }
  stack.move();
  return { manager, grounds, scratch };
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

function taken(cause?: unknown): Failure {
  return new Failure(
    "E_NO_ENCLOSURE",
    "Another session in this process has the sandbox, and macOS has one for each process.",
    {
      cause,
      remedy: "Run the second session in a process of its own.",
    },
  );
}
