import { expect, test, type TestContext } from "vitest";
import { needs } from "../../../../../test/support/needs.ts";
import { encloseProject, never, type Enclosed } from "../../workspace/guard/enclosed.testing.ts";

const enclosed = test.runIf(process.platform === "linux" && needs("bwrap") && needs("prlimit"));

/** Starts up to 300 children, each of which sleeps, and says how many there were: no bomb where there is no limit. */
const manyChildren = `perl -e 'my $n = 0; for (1 .. 300) { my $pid = fork; last unless defined $pid; if (!$pid) { sleep 20; exit } $n++ } print $n; kill 9, -1'`;

enclosed("a command starts no more processes than it may, where that can be limited", async (context) => {
  await using box = await encloseProject({ limits: { processes: 64 } });
  await skipUnlessLimited(box, "processes", context);
  const { output } = await box.sh(manyChildren);
  expect(Number(output)).toBeGreaterThan(10);
  expect(Number(output)).toBeLessThan(64);
});

enclosed("a process that takes more memory than it may is ended", async () => {
  await using box = await encloseProject({ limits: { memory: 96 << 20 } });
  const take = (mebibytes: number): string => `perl -e 'my $x = "x" x (${mebibytes} << 20); print length $x'`;
  expect((await box.sh(take(16))).output).toBe(String(16 << 20));
  expect((await box.sh(take(256))).output).toBe("");
});

enclosed("processes that take too much memory together are ended, where that can be limited", async (context) => {
  const four = `for n in 1 2 3 4; do perl -e '$| = 1; my $x = "x" x (48 << 20); print "."; sleep 1' & done; wait`;
  await using box = await encloseProject({ limits: { memory: 96 << 20 } });
  await skipUnlessLimited(box, "memory", context);
  expect((await box.sh(four)).output.length).toBeLessThan(4);
  await using roomy = await encloseProject({ limits: { memory: 1 << 30 } });
  expect((await roomy.sh(four)).output).toBe("....");
});

async function skipUnlessLimited(box: Enclosed, what: string, context: TestContext): Promise<void> {
  const state = await box.enclosure.probe(never);
  if (state.state !== "ready") context.skip(state.reason);
  else if (state.unlimited.some((unlimited) => unlimited.startsWith(what))) context.skip(state.unlimited.join("; "));
}
