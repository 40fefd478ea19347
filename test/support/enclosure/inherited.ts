/** Run as a program with descriptors 7 and 8 open: a command tries to use them. Says what it found, as JSON. */

import { encloseProject } from "../../../packages/harness/src/workspace/guard/enclosed.testing.ts";

await using box = await encloseProject();
const ran = await box.sh(`cat /proc/self/fd/7/canary.txt 2>/dev/null; ( echo x >&8 ) 2>/dev/null; echo ran`);
process.stdout.write(JSON.stringify(ran));
