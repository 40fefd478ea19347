/** The page about a run, read as people read it: with a real browser. */

import { appendFileSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import type { Event } from "@croft/harness";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { makeWorld } from "../cli/croft.ts";
import { everyEvent, writeTrace } from "../support/every-event.ts";
import { hasBrowser, open, pageAbout, pageOf, startBrowser, titles } from "./browser.ts";

let browser: Browser;
beforeAll(async () => {
  if (hasBrowser) browser = await startBrowser();
});
afterAll(() => browser?.close());

const change = 'edit_file path="src/sum.ts" old_string="a - b" new_string="a + b"';

function row(page: Page, title: string): ReturnType<Page["locator"]> {
  return page.locator(".row").filter({ has: page.getByText(title, { exact: true }) });
}

/** What has the focus. */
function focused(page: Page): Promise<string> {
  return page.evaluate(() => document.activeElement?.querySelector(".title")?.textContent ?? "");
}

describe.runIf(hasBrowser)("the page about a run", () => {
  test("shows the run, its totals, every event and every plot", async () => {
    const { page } = await open(browser, await pageAbout(everyEvent));
    expect(await page.locator("h1").textContent()).toBe("Fix `sum`.\nIt subtracts.");
    expect(await page.locator(".figures strong").allTextContents()).toEqual([
      "cancelled",
      "2",
      "15.1 s",
      "129,800",
      "$0.0543",
    ]);
    expect(await titles(page)).toHaveLength(22);
    expect(await page.locator("svg rect.lane").count()).toBeGreaterThan(4);
    expect(await page.locator(".plots svg").count()).toBe(3);
    expect(
      await page
        .locator(".tables > *")
        .evaluateAll((all) => all.map((one) => one.querySelector("summary")?.textContent ?? one.textContent)),
    ).toEqual([
      "Turns: 1",
      "Tools: 4",
      "Files changed: 1",
      "Commands: 1",
      "Citations: 1 verified, 1 broken, 1 unseen, 1 mismatch",
    ]);
    expect(await page.locator(".row.citations .verdicts li").allTextContents()).toEqual([
      "src/sum.ts:2verified",
      "src/sum.ts:9broken: the file has only 3 lines",
      "src/sum.ts:3unseen",
      "src/sum.ts:1mismatch: `add` does not stand there",
    ]);
    expect(await page.locator(".row.message .markdown strong").allTextContents()).toEqual(["look"]);
    expect(
      await page
        .locator(".row.message img")
        .evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth)),
    ).toBe(1);
  });

  test("unfolds a call: what was asked, its diff line by line, what came of it", async () => {
    const { page } = await open(browser, await pageAbout(everyEvent));
    await row(page, change).getByRole("button").click();
    const lines = await row(page, change)
      .locator(".diff .line")
      .evaluateAll((all) =>
        all.map((one) => [
          one.className,
          one.firstElementChild?.getAttribute("data-number"),
          one.lastElementChild?.textContent,
        ]),
      );
    expect(lines).toEqual([
      ["line file", "", "--- a/src/sum.ts"],
      ["line file", "", "+++ b/src/sum.ts"],
      ["line hunk", "", "@@ -1,3 +1,3 @@"],
      ["line same", "1", " export function sum(a, b) {"],
      ["line del", "2", "-  return a - b;"],
      ["line add", "2", "+  return a + b;"],
      ["line same", "3", " }"],
    ]);
    expect(await row(page, change).locator(".diff mark").allTextContents()).toEqual(["-", "+"]);
    await row(page, "$ npm test").getByRole("button").click();
    expect(await row(page, "$ npm test").locator("pre").allTextContents()).toEqual(["exit code 1\n\n1 failing"]);
  });

  test("filters by kind and by words, wherever those stand", async () => {
    const { page } = await open(browser, await pageAbout(everyEvent));
    await page.getByRole("button", { name: /^Trouble/ }).click();
    expect(await titles(page)).toEqual([
      'read_file path="src/sum.ts"',
      "$ npm test",
      "Left out from now on: image",
      "1 of 4 citations verified",
      "Check citations failed",
      "Cancelled",
      "Turn ended: cancelled",
    ]);
    await page.getByRole("button", { name: /^Everything/ }).click();
    await page.getByLabel("Search").fill("RETURN A + B"); // stands in the diff and in the lines that a check read
    await expect.poll(() => titles(page)).toEqual([change, "1 of 4 citations verified"]);
    await page.getByLabel("Search").fill("no such words");
    await expect.poll(() => page.locator("#bar output").textContent()).toBe("0 rows");
    await page.keyboard.press("Escape");
    await expect.poll(async () => (await titles(page)).length).toBe(22);
  });

  test("is used with keys alone", async () => {
    const { page } = await open(browser, await pageAbout(everyEvent));
    for (const key of ["j", "j", "j", "k"]) await page.keyboard.press(key);
    await expect.poll(() => focused(page)).toBe("User");
    await page.keyboard.press("e");
    await expect.poll(() => focused(page)).toBe('read_file path="src/sum.ts"');
    const read = row(page, 'read_file path="src/sum.ts"');
    await page.keyboard.press("o");
    expect(await read.getByRole("button").getAttribute("aria-expanded")).toBe("true");
    await page.keyboard.press("Enter");
    expect(await read.getByRole("button").getAttribute("aria-expanded")).toBe("false");
    await page.keyboard.press("G");
    await expect.poll(() => focused(page)).toBe("Turn ended: cancelled");
    await page.keyboard.press("g");
    await expect.poll(() => focused(page)).toBe("Turn 1: Fix `sum`. …");
    await page.keyboard.press("/");
    await page.keyboard.type("jek"); // letters, while somebody types
    await expect.poll(() => page.locator("#bar output").textContent()).toBe("0 rows");
    await page.keyboard.press("Escape");
    await page.keyboard.press("?");
    expect(await page.getByRole("dialog").locator("dt").count()).toBe(12);
    await page.keyboard.press("Escape");
    await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
    await page.keyboard.press("x");
    await expect.poll(() => page.locator('.head[aria-expanded="false"]').count()).toBe(0);
    await page.keyboard.press("c");
    await expect.poll(() => page.locator('.head[aria-expanded="true"]').count()).toBe(0);
  });

  test("is narrowed to a stretch of time by dragging, and led to a moment by a click", async () => {
    const { page } = await open(browser, await pageAbout(everyEvent));
    const box = await page.locator("svg.timeline").boundingBox();
    if (box === null) throw new Error("There is no timeline.");
    const place = (share: number): [number, number] => [box.x + 140 + share * (box.width - 152), box.y + 40];
    await page.mouse.move(...place(0.96));
    await page.mouse.down();
    await page.mouse.move(...place(0.98));
    await page.mouse.move(...place(1));
    await page.mouse.up();
    expect(await titles(page)).toEqual(["Check verify passed", "Cancelled", "Turn ended: cancelled"]);
    await page.getByTitle("Show all of the time again").click();
    await expect.poll(async () => (await titles(page)).length).toBe(22);
    await page.mouse.click(...place(0.65));
    await expect.poll(() => focused(page)).toBe("Left out from now on: image");
  });

  test.each(["light", "dark"] as const)("is readable in %s, and changes by a key", async (colorScheme) => {
    const { page } = await open(browser, await pageAbout(everyEvent), { colorScheme });
    const isDark = async (): Promise<boolean> => (await lightness(page, ":root", "background-color")) < 0.5;
    expect(await isDark()).toBe(colorScheme === "dark");
    for (const selector of [
      "h1",
      ".where",
      ".row .title",
      ".row .note",
      ".row .at",
      '[data-tone="bad"] .title',
      '[data-tone="good"] .title',
      '[data-tone="doubt"] .note',
      ".axis",
    ]) {
      const property = selector === ".axis" ? "fill" : "color";
      const [one, other] = [
        await lightness(page, selector, property),
        await lightness(page, ":root", "background-color"),
      ];
      const contrast = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
      expect(contrast, selector).toBeGreaterThanOrEqual(4.5);
    }
    await page.keyboard.press("t");
    expect(await isDark()).toBe(colorScheme !== "dark");
  });

  test("fits a phone, and paper", async () => {
    const html = await pageAbout(everyEvent);
    const { page } = await open(browser, html, { viewport: { width: 390, height: 800 } });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    await page.emulateMedia({ media: "print" });
    expect(await page.locator("#bar").isVisible()).toBe(false);
    expect(await page.locator(".row.message .markdown").last().isVisible()).toBe(true);
  });

  test("names the lines that are torn, foreign or were changed", async () => {
    const world = makeWorld();
    const trace = join(world.base, "t.jsonl");
    writeTrace(trace, everyEvent);
    appendFileSync(trace, '{"ms":1,"type":"mess\n{"ms":15099,"type":"notice","code":"x","text":"forged"}\n');
    const { page } = await open(browser, await pageOf(world, trace));
    const [torn, altered] = [everyEvent.length - 1, everyEvent.length]; // what is only streamed is not in the file
    expect(await page.getByRole("alert").textContent()).toBe(
      `1 line of the trace cannot be read (${torn}); 1 line of the trace was changed after it was written (${altered}).`,
    );
    expect((await titles(page)).slice(-3)).toEqual([
      `Line ${torn} cannot be read`,
      `Line ${altered} was changed after it was written`,
      "forged",
    ]);
  });

  test("lets nothing of a hostile trace run, reach out, or deceive", async () => {
    const { port, hits } = await startServer();
    const evil =
      `</script><script>window.pwned=1</script><img src=http://127.0.0.1:${port}/a onerror=window.pwned=1>` +
      `<!--<style>*{display:none}</style>[here](javascript:window.pwned=1) ![x](http://127.0.0.1:${port}/b) ` +
      `\u001b]8;;http://127.0.0.1:${port}\u0007\u202egnp.exe\u202c \u200b\u{e0041} ]]> &lt; \${x} \`\``;
    const html = await pageAbout(everyEvent.map(([ms, event]) => [ms, poisoned(event, evil)]));
    expect(readFileSync(html, "latin1")).not.toMatch(/pwned|\u202e/);
    const { page } = await open(browser, html);
    await page.keyboard.press("x");
    await expect
      .poll(() => page.locator('.row .head[aria-expanded="true"] + *, .body:not(:empty)').count())
      .toBeGreaterThan(10);
    await page.evaluate(() => document.querySelectorAll("details").forEach((each) => (each.open = true)));
    const body = (await page.locator("#page").textContent()) ?? "";
    expect(body).toContain("<img src=http");
    expect(body).toContain("\\u{202e}gnp.exe");
    expect(body + (await page.title())).not.toMatch(
      /[\u0000-\u0008\u000e-\u001f\u007f-\u009f\u200b\u202a-\u202e\u2066-\u2069]|\u{e0041}/u,
    );
    expect(await page.evaluate(() => Reflect.get(window, "pwned"))).toBe(undefined);
    expect(await page.locator("a[href], iframe, form, object, link").count()).toBe(0);
    expect(await page.locator("body script:not([data-bodies]):not([data-totals])").count()).toBe(1);
    expect(hits()).toBe(0);
  });

  test.each([
    ["quotations within each other", "> ".repeat(9_000)],
    ["links that do not end", "[a](".repeat(4_900)],
    ["a ruler that is none", `a|b\n${" ".repeat(9_000)}${"|".repeat(9_000)}x`],
  ])("reads %s without being held up", async (_, text) => {
    const origin = { provider: "anthropic", model: "m" };
    const content = [{ type: "text" as const, text: `${text}\n\nthe **end**` }];
    const said: Event = { type: "message", message: { role: "assistant", content, origin } };
    const { page } = await open(browser, await pageAbout([...everyEvent.slice(0, 3), [20, said]]));
    await page.keyboard.press("x");
    await expect.poll(() => page.locator(".row.message strong").allTextContents()).toEqual(["end"]);
  });

  test("shows a call with more fields than a function takes arguments", async () => {
    const input = Object.fromEntries(Array.from({ length: 80_000 }, (_, at) => [`key${at}`, at]));
    const call: Event = { type: "tool_call", id: "t1", name: "read_file", input };
    const { page } = await open(browser, await pageAbout([...everyEvent.slice(0, 3), [20, call]]));
    await page.keyboard.press("x");
    await expect.poll(() => page.locator(".row").last().locator("dt").count(), { timeout: 30_000 }).toBe(80_002);
  });

  test("forbids by itself what a fault of its own would let in", async () => {
    const { port, hits } = await startServer();
    const { page, amiss } = await open(browser, await pageAbout(everyEvent));
    const ran = await page.evaluate(async (url) => {
      const script = document.createElement("script");
      script.textContent = "window.pwned = 1";
      document.body.append(script);
      const image = document.createElement("img");
      image.src = url;
      document.body.append(image);
      const fetched = await fetch(url).then(
        () => "fetched",
        () => "refused",
      );
      return [Reflect.get(window, "pwned"), fetched];
    }, `http://127.0.0.1:${port}/a.png`);
    expect([ran, hits()]).toEqual([[undefined, "refused"], 0]);
    expect(amiss.splice(0).join("\n")).toContain("Content Security Policy");
  });
});

/** Counts who reaches it. */
async function startServer(): Promise<{ port: number; hits: () => number }> {
  let hits = 0;
  const server = createServer((_, response) => {
    hits += 1;
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  return { port: typeof address === "object" && address !== null ? address.port : 0, hits: () => hits };
}

/** The same event with the words in front of every text that is free to be anything. */
function poisoned(event: Event, evil: string): Event {
  const fixed = new Set([
    "type",
    "role",
    "id",
    "toolUseId",
    "kind",
    "status",
    "stop",
    "by",
    "decision",
    "state",
    "profile",
    "change",
    "mediaType",
    "base64",
    "via",
  ]);
  return JSON.parse(JSON.stringify(event), (key, value: unknown) =>
    typeof value === "string" && !fixed.has(key) ? evil + value : value,
  );
}

/** Relative luminance, from 0 for black to 1 for white, as WCAG counts it. */
async function lightness(page: Page, selector: string, property: string): Promise<number> {
  const colour = await page
    .locator(selector)
    .first()
    .evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property);
  const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? []).map((channel) => {
    const share = Number(channel) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
