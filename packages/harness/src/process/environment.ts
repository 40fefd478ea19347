/**
 * The environment of a command: cleared, and then only what stands in these tables. Keys and tokens have no name here,
 * so none is handed on.
 */

/** What comes from the user's environment, where it is set. */
const passed: readonly (readonly string[])[] = [
  // Who and where: programs look for these or guess worse.
  ["HOME", "LOGNAME", "PATH", "SHELL", "TMPDIR", "TZ", "USER"],
  ["LANG", "LC_ALL", "LC_COLLATE", "LC_CTYPE", "LC_MESSAGES", "LC_NUMERIC", "LC_TIME"],
  ["XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"],
  // Where toolchains are that were installed elsewhere than by default.
  ["ANDROID_HOME", "ASDF_DATA_DIR", "ASDF_DIR", "BUN_INSTALL", "CARGO_HOME", "CONDA_PREFIX", "DENO_DIR"],
  ["DOTNET_ROOT", "GOPATH", "GOROOT", "JAVA_HOME", "MISE_DATA_DIR", "NVM_DIR", "PNPM_HOME", "PYENV_ROOT"],
  ["RBENV_ROOT", "RUSTUP_HOME", "SDKMAN_DIR", "VIRTUAL_ENV", "VOLTA_HOME"],
  // Whom to trust, behind a company's proxy.
  ["NODE_EXTRA_CA_CERTS", "SSL_CERT_DIR", "SSL_CERT_FILE"],
];

/** What a person's agents and daemons are reached by: only for what was approved to run outside the sandbox. */
const passedOutside: readonly string[] = [
  "DBUS_SESSION_BUS_ADDRESS",
  "DOCKER_HOST",
  "SSH_AUTH_SOCK",
  "XDG_RUNTIME_DIR",
];

/** git runs it as a shell line with the file behind it. */
const noEditor = "echo 'There is no editor here: give the text as an argument, such as -m or --no-edit.' >&2; false";

/** Nobody watches and nobody answers. Whatever the user has set under these names is replaced. */
const set: Readonly<Record<string, string>> = {
  // No watch modes, no questions.
  CI: "1",
  COMPOSER_NO_INTERACTION: "1",
  COREPACK_ENABLE_DOWNLOAD_PROMPT: "0",
  DEBIAN_FRONTEND: "noninteractive",
  GH_PROMPT_DISABLED: "1",
  GIT_TERMINAL_PROMPT: "0",
  PIP_NO_INPUT: "1",
  TF_INPUT: "0",
  // `npx` of something that is not installed fails, where it would install without a word.
  npm_config_yes: "false",
  // No editors: they fail at once and say why.
  EDITOR: "false",
  VISUAL: "false",
  GIT_EDITOR: noEditor,
  GIT_MERGE_AUTOEDIT: "no",
  // No pagers.
  GIT_PAGER: "cat",
  MANPAGER: "cat",
  PAGER: "cat",
  SYSTEMD_PAGER: "cat",
  // No colours. (FORCE_COLOR=0 beside NO_COLOR makes Node warn.)
  CARGO_TERM_COLOR: "never",
  CLICOLOR: "0",
  NO_COLOR: "1",
  TERM: "dumb",
  // Little that is not asked for.
  CARGO_TERM_PROGRESS_WHEN: "never",
  DOTNET_CLI_TELEMETRY_OPTOUT: "1",
  DOTNET_NOLOGO: "1",
  DO_NOT_TRACK: "1",
  HOMEBREW_NO_AUTO_UPDATE: "1",
  NEXT_TELEMETRY_DISABLED: "1",
  NO_UPDATE_NOTIFIER: "1",
  PIP_DISABLE_PIP_VERSION_CHECK: "1",
  npm_config_fund: "false",
  npm_config_update_notifier: "false",
  // Output comes when it is printed, in order with errors.
  PYTHONUNBUFFERED: "1",
  // `git status` refreshes the index in passing, which a read-only .git would refuse.
  GIT_OPTIONAL_LOCKS: "0",
};

/**
 * The environment of a command, from that of the user. PATH loses what is relative, and what npm puts in front for all
 * it starts: a bare name must not mean a file of the project. Without a locale it is C.UTF-8.
 */
export function commandEnvironment(
  user: Readonly<Record<string, string | undefined>>,
  { outside = false }: { outside?: boolean } = {},
): Record<string, string> {
  const names = [...passed.flat(), ...(outside ? passedOutside : [])];
  const given = names.flatMap((name) => {
    const value = user[name];
    return value === undefined || value === "" ? [] : [[name, value] as const];
  });
  return { LANG: "C.UTF-8", ...Object.fromEntries(given), ...set, PATH: searchPathOf(user["PATH"] ?? "") };
}

/** Colons between folders, as everywhere but on Windows, where nothing is run. */
function searchPathOf(path: string): string {
  const folders = path.split(":").filter((folder) => folder.startsWith("/") && !ofPackages.test(folder));
  return (folders.length === 0 ? ["/usr/local/bin", "/usr/bin", "/bin"] : folders).join(":");
}

const ofPackages = /\/node_modules\/\.bin\/*$/;
