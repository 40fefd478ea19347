/** For commands that can reach nothing: where a name does not resolve, package managers wait and ask again, for minutes. */

export const offlineVariables: Readonly<Record<string, string>> = {
  BUNDLE_RETRY: "0",
  CARGO_NET_RETRY: "0",
  PIP_RETRIES: "0",
  POETRY_REQUESTS_MAX_RETRIES: "0",
  UV_HTTP_RETRIES: "0",
  YARN_HTTP_RETRY: "0",
  npm_config_fetch_retries: "0",
};
