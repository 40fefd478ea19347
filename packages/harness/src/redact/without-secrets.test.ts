import { expect, test } from "vitest";
import { withoutSecrets } from "./without-secrets.ts";

test("secrets are replaced by their kind, and all else stays", async () => {
  const key = `ghp_${"aB3dE5gH7j".repeat(4).slice(0, 36)}`;
  const hidden = await withoutSecrets(`export GITHUB_TOKEN=${key} # for CI\nnpm test`);
  expect(hidden).toMatch(/^export GITHUB_TOKEN=\[secret:[a-z-]+\] # for CI\nnpm test$/);
  expect(await withoutSecrets("Where is main defined?")).toBe("Where is main defined?");
});
