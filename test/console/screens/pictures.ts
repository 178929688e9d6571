/**
 * Draws all screens in light and dark, at three widths, and in forced colors: `npm run screens`. Pictures that differ
 * from those of the last time are named; to be looked at. They are no test, since fonts differ from machine to machine.
 */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import type { Page } from "playwright-core";
import { afterAll, expect, it } from "vitest";
import { openBrowser } from "../../support/browser/open-browser.ts";
import type { TabOptions } from "../support/console-tab.ts";
import { openScreen } from "./open-screen.ts";
import { SCREENS } from "./screens.ts";
import { openScreensServer } from "./screens-server.ts";

const FOLDER = process.env["SCREENS"] ?? join(import.meta.dirname, "pictures");
/** Share of pixels that may differ. */
const TOLERANCE = 0.001;

const VARIANTS: Readonly<Record<string, TabOptions>> = {
  "light-1440": { colorScheme: "light", viewport: { width: 1440, height: 900 } },
  "dark-1440": { colorScheme: "dark", viewport: { width: 1440, height: 900 } },
  "light-1024": { colorScheme: "light", viewport: { width: 1024, height: 768 } },
  "dark-1024": { colorScheme: "dark", viewport: { width: 1024, height: 768 } },
  "light-390": { colorScheme: "light", viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
  "dark-390": { colorScheme: "dark", viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
  "forced-1440": { forcedColors: "active", colorScheme: "dark", viewport: { width: 1440, height: 900 } },
};

const browser = await openBrowser();
const server = await openScreensServer();
afterAll(() => server.server.close());
await mkdir(FOLDER, { recursive: true });

it.each(
  SCREENS.flatMap((screen) => Object.entries(VARIANTS).map(([variant, options]) => ({ screen, variant, options }))),
)("$screen.name $variant", async ({ screen, variant, options }) => {
  const { page } = await openScreen(browser, server, screen, { reducedMotion: "reduce", ...options });
  const path = join(FOLDER, `${screen.name}-${variant}.png`);
  const before = await readFile(path).catch(() => null);
  const now = await page.screenshot({ animations: "disabled" });
  await writeFile(path, now);
  if (before === null) expect(now.length).toBeGreaterThan(0);
  else expect(await differenceOf(page, before, now), `${path} has changed`).toBeLessThanOrEqual(TOLERANCE);
});

/** Share of pixels that differ; 1 for pictures of other sizes. Compared by the browser, which can decode them. */
async function differenceOf(page: Page, before: Buffer, now: Buffer): Promise<number> {
  const blank = await page.context().newPage();
  return blank.evaluate(
    async (pictures) => {
      const [one, other] = await Promise.all(
        pictures.map(async (base64) => {
          const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
          const bitmap = await createImageBitmap(new Blob([bytes]));
          const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
          const context = canvas.getContext("2d");
          context?.drawImage(bitmap, 0, 0);
          return context?.getImageData(0, 0, bitmap.width, bitmap.height);
        }),
      );
      if (one === undefined || other === undefined || one.data.length !== other.data.length) return 1;
      const pixels = new Uint32Array(one.data.buffer);
      const others = new Uint32Array(other.data.buffer);
      return pixels.filter((pixel, index) => pixel !== others[index]).length / pixels.length;
    },
    [before.toString("base64"), now.toString("base64")],
  );
}
