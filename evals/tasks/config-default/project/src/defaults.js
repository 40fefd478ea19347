export const defaults = { retries: 30, timeout: 30, verbose: false };
