/** Run as a program with descriptors 77 and 78 open: a command tries to use them. Says what it found, as JSON. */

import { encloseProject } from "../../../packages/harness/src/workspace/guard/enclosed.testing.ts";

await using box = await encloseProject();
const ran = await box.sh(`cat /proc/self/fd/77/canary.txt 2>/dev/null; ( echo x >&78 ) 2>/dev/null; echo ran`);
process.stdout.write(JSON.stringify(ran));
