/** The pages of traces in a real browser. */

import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { findProgram, type Event } from "@croft/harness";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { expect, onTestFinished } from "vitest";
import { croft, makeWorld } from "../cli/croft.ts";
import { writeTrace } from "../support/every-event.ts";
import { needs } from "../support/needs.ts";

export const hasBrowser: boolean = needs("chromium");

/** Without these a browser in a container does not start, or reaches out by itself. */
const flags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export async function startBrowser(): Promise<Browser> {
  const { chromium } = await import("playwright-core");
  const executablePath = findProgram("chromium", process.env["PATH"] ?? "") ?? "chromium";
  return chromium.launch({ executablePath, args: flags });
}

/** Writes the page about a trace; its path. */
export async function pageAbout(events: readonly (readonly [number, Event])[]): Promise<string> {
  const world = makeWorld();
  const trace = join(world.base, "t.jsonl");
  writeTrace(trace, events);
  return pageOf(world, trace);
}

export async function pageOf(world: ReturnType<typeof makeWorld>, trace: string): Promise<string> {
  const html = join(world.base, "t.html");
  const { code, err } = await croft(world, ["trace", trace, "--html", html]);
  expect([code, err]).toEqual([0, expect.stringMatching(/^\d+ turns?, \d+ steps?: /)]);
  return html;
}

export type Opened = {
  page: Page;
  /** All that went wrong or out: errors, dialogs, requests for anything but the page itself. */
  amiss: string[];
};

/** Opens the page and waits for its rows. It is closed with the test, and nothing may have gone amiss until then. */
export async function open(browser: Browser, html: string, options: BrowserContextOptions = {}): Promise<Opened> {
  const context = await browser.newContext({ viewport: { width: 1200, height: 900 }, ...options });
  const page = await context.newPage();
  const amiss: string[] = [];
  const url = pathToFileURL(html).href;
  page.on("pageerror", (error) => amiss.push(`error: ${error.message}`));
  page.on("console", (message) => amiss.push(`console: ${message.text()}`));
  page.on("dialog", (dialog) => amiss.push(`dialog: ${dialog.message()}`));
  page.on("request", (request) => {
    if (request.url() !== url && !request.url().startsWith("data:")) amiss.push(`request: ${request.url()}`);
  });
  onTestFinished(async () => {
    await context.close();
    expect(amiss).toEqual([]);
  });
  await page.goto(url);
  await page.waitForSelector("#rows .row", { timeout: 30_000 });
  return { page, amiss };
}

/** The titles of the rows that are there. */
export function titles(page: Page): Promise<string[]> {
  return page.locator("#rows .title").allTextContents();
}
