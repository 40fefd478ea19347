/** Programs that run the command among their words: how to find it there. */

import { words } from "../../word-list.ts";

export type Prefix = {
  readonly flags: readonly string[];
  /** Those whose value is the next word, or is attached. */
  readonly valued: readonly string[];
  /** Words of its own before the command. */
  readonly operands: number;
  /** `NAME=value` before the command. */
  readonly assignments: boolean;
  /** With one of these it runs nothing. */
  readonly describing: readonly string[];
  /** The command stands behind `--` alone; before it, what it is to find. */
  readonly separated?: true | undefined;
};

const prefix: Prefix = { flags: [], valued: [], operands: 0, assignments: false, describing: [] };

/** What has an option that is not named here is not looked through: it asks. */
export const prefixes: Readonly<Record<string, Prefix>> = {
  env: {
    ...prefix,
    flags: ["-i", "-0", "-v", "--ignore-environment", "--null"],
    valued: ["-u", "-C", "--unset", "--chdir"],
    assignments: true,
  },
  nohup: prefix,
  nice: { ...prefix, valued: ["-n", "--adjustment"] },
  ionice: { ...prefix, flags: ["-t"], valued: ["-c", "-n", "--class", "--classdata"] },
  setsid: { ...prefix, flags: ["-c", "-f", "-w", "--ctty", "--fork", "--wait"] },
  stdbuf: { ...prefix, valued: ["-i", "-o", "-e", "--input", "--output", "--error"] },
  timeout: {
    ...prefix,
    flags: ["-v", "--verbose", "--preserve-status", "--foreground"],
    valued: ["-s", "-k", "--signal", "--kill-after"],
    operands: 1,
  },
  time: { ...prefix, flags: ["-p", "-v", "--portability", "--verbose"], valued: ["-f", "--format"] },
  chronic: { ...prefix, flags: ["-v", "-e"] },
  command: { ...prefix, flags: ["-p"], describing: ["-v", "-V"] },
  builtin: prefix,
  exec: { ...prefix, flags: ["-c", "-l"], valued: ["-a"] },
  sudo: { ...prefix, flags: ["-n", "-E", "-H", "-S", "-b"], valued: ["-u", "-g"], assignments: true },
  doas: { ...prefix, flags: ["-n"], valued: ["-u"] },
  busybox: prefix,
  toybox: prefix,
  taskset: { ...prefix, flags: ["-a", "-c", "--all-tasks", "--cpu-list"], operands: 1 },
  chrt: { ...prefix, flags: ["-b", "-f", "-i", "-o", "-r", "-v"], operands: 1 },
  unbuffer: { ...prefix, flags: ["-p"] },
  "xvfb-run": {
    ...prefix,
    flags: ["-a", "-l", "--auto-servernum"],
    valued: ["-n", "-s", "--server-num", "--server-args"],
  },
  "dbus-run-session": prefix,
  caffeinate: { ...prefix, flags: ["-d", "-i", "-m", "-s", "-u"], valued: ["-t"] },
  fakeroot: prefix,
  "cross-env": { ...prefix, assignments: true },
};

/**
 * Those with a subcommand that runs another program, in an environment that the project has its say in: the command
 * within may be restricted, but that it is harmless says nothing of these.
 */
export const launchers: Readonly<Record<string, Readonly<Record<string, Prefix>>>> = {
  uv: {
    run: {
      ...prefix,
      flags: [
        "-q",
        "-v",
        "--active",
        "--all-extras",
        "--dev",
        "--frozen",
        "--isolated",
        "--locked",
        "--no-dev",
        "--no-sync",
        "--offline",
      ],
      valued: ["-p", "--directory", "--env-file", "--extra", "--group", "--package", "--project", "--python", "--with"],
    },
  },
  ...Object.fromEntries(
    words`poetry pipenv pdm rye hatch devbox op doppler infisical`.map((name) => [name, { run: prefix }]),
  ),
  ...Object.fromEntries(words`pyenv rbenv nodenv goenv asdf`.map((name) => [name, { exec: prefix }])),
  ...Object.fromEntries(
    words`conda mamba micromamba`.map((name) => [
      name,
      {
        run: {
          ...prefix,
          flags: ["-v", "--live-stream", "--no-capture-output"],
          valued: ["-n", "-p", "--cwd", "--name", "--prefix"],
        },
      },
    ]),
  ),
  pixi: { run: prefix, r: prefix, exec: prefix, x: prefix },
  bundle: { exec: prefix, exe: prefix, ex: prefix, e: prefix },
  mise: { exec: { ...prefix, separated: true }, x: { ...prefix, separated: true } },
  direnv: { exec: { ...prefix, operands: 1 } },
  // Whether a version stands before the command cannot be told.
  nvm: { exec: { ...prefix, separated: true } },
  fnm: { exec: { ...prefix, valued: ["--using"] } },
  volta: { run: { ...prefix, valued: ["--node", "--npm", "--pnpm", "--yarn"] } },
  "aws-vault": { exec: { ...prefix, operands: 1 } },
};

/** As `xargs`: what it reads becomes words behind those it is given. */
export const appending: Readonly<Record<string, Prefix>> = {
  xargs: {
    ...prefix,
    flags: ["-0", "-r", "-t", "-x", "--null", "--no-run-if-empty", "--verbose", "--exit"],
    valued: ["-a", "-d", "-E", "-I", "-L", "-n", "-P", "-s", "--arg-file", "--delimiter", "--max-args", "--max-procs"],
  },
};

/** What they are given is joined and read by a shell. */
export const joining: Readonly<Record<string, Prefix>> = {
  eval: prefix,
  watch: {
    ...prefix,
    flags: ["-d", "-t", "-b", "-e", "-g", "-c", "--differences", "--no-title", "--color"],
    valued: ["-n", "--interval"],
  },
};

/** Shells, and which grammar reads what stands behind `-c`. */
export const shells: Readonly<Record<string, "bash" | "sh" | "other">> = {
  bash: "bash",
  sh: "sh",
  dash: "sh",
  ash: "sh",
  ...Object.fromEntries(
    words`rbash zsh ksh mksh fish csh tcsh nu elvish pwsh powershell cmd`.map((name) => [name, "other" as const]),
  ),
};
