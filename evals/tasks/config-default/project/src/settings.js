import { defaults } from "./defaults.js";

/** Variables come before the file, the file before the defaults. */
export function settings(file, environment) {
  return {
    retries: number(environment.RETRIES) || file.retries || defaults.retries,
    timeout: number(environment.TIMEOUT) || file.timeout || defaults.timeout,
    verbose: environment.VERBOSE === "true" || file.verbose || defaults.verbose,
  };
}

function number(text) {
  return text === undefined || text === "" ? undefined : Number(text);
}
