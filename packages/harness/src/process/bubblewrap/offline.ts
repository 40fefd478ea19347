/** For commands that can reach nothing: where a name does not resolve, package managers wait and ask again, for minutes. */

export const offlineVariables: Readonly<Record<string, string>> = {
  BUNDLE_RETRY: "0",
  CARGO_NET_RETRY: "0",
  // Only of what it tries again does it say why it failed; else the package seems not to exist.
  PIP_RETRIES: "1",
  POETRY_REQUESTS_MAX_RETRIES: "0",
  UV_HTTP_RETRIES: "0",
  YARN_HTTP_RETRY: "0",
  npm_config_fetch_retries: "0",
};
