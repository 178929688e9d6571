/** Diagrams in Chromium, in light and dark. */
import { describe, expect, it } from "vitest";
import { diagramOf } from "../../src/definitions/diagram/diagram.ts";
import type { Step } from "../../src/index.ts";
import type { Version } from "../../src/workflows/version.ts";
import { openBrowser } from "../support/browser/open-browser.ts";

const browser = await openBrowser();

const WIDE = "W".repeat(128);
const STEPS: Step[] = [
  { type: "input", key: "start", input: {}, destinations: ["branch"] },
  {
    type: "branch",
    key: "branch",
    conditions: {
      [WIDE]: { order: 1, destinations: [WIDE] },
      注文が一万円を超える場合は確認する: { order: 2, destinations: ["<b>&\u0000\ud800"] },
    },
    else: ["end"],
  },
  {
    type: "http_request",
    key: WIDE,
    url: "",
    for_each: { items: "[]" },
    retry: { max_attempts: 2 },
    conditional: "true",
    destinations: ["end"],
  },
  { type: "code", key: "<b>&\u0000\ud800", code: "", destinations: ["end"], on_error: [{ destinations: ["end"] }] },
  { type: "code", key: "end", code: "" },
];
const VERSION: Version = {
  ...{ id: "workv_1", app_id: "app_1", workflow_id: "work_1", description: null, version: 1, notes: null },
  ...{ created_at: null, key: "work_1@1", input: {}, input_default: null, input_options: null, steps: STEPS },
};

async function open(colorScheme: "light" | "dark") {
  const page = await browser.newPage({ colorScheme });
  const { svg } = diagramOf(VERSION, "W");
  await page.goto(`data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}`);
  return page;
}

describe("a diagram in a browser", () => {
  it("is one document in which every text fits its box, and no label covers another", async () => {
    const page = await open("light");
    const found = await page.evaluate(() => {
      const boxOf = (element: Element) => {
        const { left, right, top, bottom } = element.getBoundingClientRect();
        return { left, right, top, bottom };
      };
      const steps = [...document.querySelectorAll("g.step")].map((step) => ({
        box: boxOf(step.querySelector("rect:last-of-type") ?? step),
        texts: [...step.querySelectorAll("text")].map(boxOf),
      }));
      return {
        root: document.documentElement.tagName,
        steps,
        labels: [...document.querySelectorAll("text.label")].map(boxOf),
      };
    });
    await page.close();
    expect([found.root, found.steps.length, found.labels.length]).toEqual(["svg", 5, 4]);
    for (const { box, texts } of found.steps) {
      for (const text of texts) {
        expect(text.left).toBeGreaterThanOrEqual(box.left);
        expect(text.right).toBeLessThanOrEqual(box.right);
      }
    }
    for (const [index, one] of found.labels.entries()) {
      for (const other of found.labels.slice(index + 1)) {
        expect(
          one.right <= other.left || other.right <= one.left || one.bottom <= other.top || other.bottom <= one.top,
        ).toBe(true);
      }
    }
  });

  it("follows the color scheme", async () => {
    const colors: string[] = [];
    for (const scheme of ["light", "dark"] as const) {
      const page = await open(scheme);
      colors.push(await page.evaluate(() => getComputedStyle(document.querySelector(".back") ?? document.body).fill));
      await page.close();
    }
    expect(colors).toEqual(["rgb(255, 255, 255)", "rgb(20, 24, 31)"]);
  });
});
