/** Keeps what `load(key)` gave. */
export function createCache(load) {
  const kept = new Map();
  return {
    async get(key) {
      if (kept.has(key)) return kept.get(key);
      const value = await load(key);
      kept.set(key, value);
      return value;
    },
    /** What is kept under the key is out of date. */
    invalidate(key) {
      kept.delete(key);
    },
  };
}
