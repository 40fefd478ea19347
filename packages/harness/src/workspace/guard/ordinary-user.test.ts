import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { needs } from "../../../../../test/support/needs.ts";

const program = fileURLToPath(new URL("../../../../../test/support/enclosure/ordinary-user.ts", import.meta.url));
/** One that owns nothing; only root can become it. */
const nobodyInParticular = 54_321;
const user = process.getuid?.() === 0 ? { uid: nobodyInParticular, gid: nobodyInParticular } : {};

function asUser(...args: string[]): string {
  const options = { ...user, cwd: "/", env: { PATH: "/usr/bin:/bin" }, encoding: "utf8", timeout: 60_000 } as const;
  return execFileSync(process.execPath, args, options);
}

test.runIf(process.platform === "linux" && needs("bwrap") && needs("prlimit"))(
  "an ordinary user's commands are held in the same way, and their processes are counted",
  (context) => {
    const readable = asUser("-e", `try { fs.readFileSync(${JSON.stringify(program)}); console.log("yes") } catch {}`);
    if (readable === "") context.skip("another user cannot read croft's files here");
    const found: unknown = JSON.parse(asUser(program));
    const uid = user.uid ?? process.getuid?.();
    expect(found).toEqual({
      probed: { state: "ready", unlimited: expect.any(Array) },
      ran: { code: 0, output: `${uid}\nmine\nheld\npinned`, errors: "" },
      children: expect.any(Number),
      told: 1,
    });
    expect(found).toHaveProperty(
      "children",
      expect.toSatisfy((count: number) => count > 10 && count < 64),
    );
  },
);
