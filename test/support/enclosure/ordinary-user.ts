/** Run as a program by the user that the test wants: `node ordinary-user.ts`. Says what it found, as JSON. */

import { encloseProject, never } from "../../../packages/harness/src/workspace/guard/enclosed.testing.ts";

await using box = await encloseProject({
  files: { ".env": "canary", "AGENTS.md": "mine\n", ".github/workflows/ci.yml": "on: push\n" },
  limits: { processes: 64 },
});
const probed = await box.enclosure.probe(never);
const ran = await box.sh(`
  id -u; cat .env AGENTS.md; ( echo x > AGENTS.md ) 2>/dev/null || echo held; mv .github g 2>/dev/null || echo pinned
  ( : >> /proc/sys/kernel/core_pattern ) 2>/dev/null && echo hole; cat ${box.outside}/canary.txt ~/.ssh/id_ed25519 2>/dev/null
  echo kept > kept; echo x > .croft.json`);
const children = await box.sh(
  `perl -e 'my $n = 0; for (1 .. 200) { my $pid = fork; last unless defined $pid; if (!$pid) { sleep 20; exit } $n++ } print $n; kill 9, -1'`,
);
const told = await box.inspect();
process.stdout.write(JSON.stringify({ probed, ran, children: Number(children.output), told: told.length }));
