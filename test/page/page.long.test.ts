import { statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { croft, makeWorld } from "../cli/croft.ts";
import { writeLongTrace } from "../support/long-trace.ts";
import { hasBrowser, open, startBrowser, titles } from "./browser.ts";

const megabytes = 1_000_000;

test.runIf(hasBrowser)(
  "a trace of 100 MB becomes a page in little memory, and is walked, searched and narrowed in it",
  async () => {
    const world = makeWorld();
    const [trace, html] = [join(world.base, "t.jsonl"), join(world.base, "t.html")];
    const { turns, steps } = writeLongTrace(trace, 100 * megabytes);
    const written = await croft(world, ["trace", trace, "--html", html], {
      env: { NODE_OPTIONS: "--max-old-space-size=64" },
    });
    expect([written.code, written.err]).toEqual([0, `${turns} turns, ${steps} steps: ${html}\n`]);
    expect(statSync(html).size).toBeLessThan(50 * megabytes);

    const browser = await startBrowser();
    try {
      const { page } = await open(browser, html);
      const rows = (): Promise<number> => page.locator(".row").count();
      const heap = (): Promise<number> =>
        page.evaluate(() => Number(Reflect.get(Reflect.get(performance, "memory"), "usedJSHeapSize")));
      const focused = (): Promise<string> =>
        page.evaluate(() => document.activeElement?.querySelector(".title")?.textContent ?? "");
      const inSight = (): Promise<boolean> =>
        page.evaluate(() => {
          const { top = -1, bottom = -1 } = document.activeElement?.getBoundingClientRect() ?? {};
          return top >= 0 && bottom <= innerHeight;
        });
      await page.keyboard.press("G");
      await expect.poll(focused).toMatch(/^Turn ended/);
      await expect.poll(inSight).toBe(true);
      for (let times = 0; times < 20; times++) await page.mouse.wheel(0, -20_000);
      await page.keyboard.press("g");
      await expect.poll(focused).toMatch(/^Turn 1: /);
      await page.keyboard.press("/");
      await page.keyboard.type(`make error ${turns} name`);
      const found = [`Turn ${turns}: Make error ${turns} name the token, not the line.`, "User"];
      await expect.poll(() => titles(page), { timeout: 60_000 }).toEqual(found);
      await page.keyboard.press("Escape");
      await expect.poll(rows).toBeGreaterThan(30);
      expect(await rows()).toBeLessThan(500);
      expect(await heap()).toBeLessThan(150 * megabytes);
    } finally {
      await browser.close();
    }
  },
);
