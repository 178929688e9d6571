/** A plain page, measured beside the console: what the machine needs for a page at all. */
import { once } from "node:events";
import { createServer } from "node:http";
import { median } from "../measure.js";
import { firstPaint, keyWork, watchWork } from "./tab.js";

const PAGE = `<!doctype html><title>Plain</title>
<style>.box { position: absolute; width: 200px; height: 50px; border: 1px solid; }</style>
<p>Plain</p><div id="place"></div>`;

/**
 * On the machine of ARCHITECTURE.md with nothing else to do. The key is not measured there: it is that of a slower day, by
 * how much longer the same keys took in the console than on a quiet one.
 */
const QUIET = { paint: 60, rows: 200, key: 2 };

export async function openFloor(browser) {
  const server = createServer((_request, response) => response.setHeader("content-type", "text/html").end(PAGE));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${server.address().port}/`;

  async function inPage(measure) {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    const page = await context.newPage();
    await page.goto(url);
    try {
      return await measure(page);
    } finally {
      await context.close();
    }
  }

  const times = async (measure) => {
    const seen = [];
    for (let round = 0; round < 5; round++) seen.push(await inPage(measure));
    return median(seen);
  };

  return {
    /**
     * How much slower the machine is now than a quiet one: at its first paint, and with a table of 2,000 rows.
     * A faster machine has no smaller budgets.
     */
    async slowness() {
      const paint = await times(firstPaint);
      const rows = await times((page) => page.evaluate(drawRows));
      return { paint, rows, factor: Math.max(1, paint / QUIET.paint, rows / QUIET.rows) };
    },
    /** How much slower a key is now than on a quiet machine, in a plain field. */
    async typingSlowness() {
      const context = await browser.newContext();
      const page = await context.newPage();
      await page.setContent("<!doctype html><title>Plain</title><textarea></textarea>");
      await page.locator("textarea").focus();
      const key = median(await keyWork(page, await watchWork(page)));
      await context.close();
      return { key, factor: Math.max(1, key / QUIET.key) };
    },
    /** Frames a second while so many plain boxes are moved. */
    frames: (count) => inPage((page) => page.evaluate(moveBoxes, count)),
    close: () => void server.close(),
  };
}

function drawRows() {
  const started = performance.now();
  const table = document.createElement("table");
  for (let row = 0; row < 2_000; row++) {
    const line = table.insertRow();
    for (let cell = 0; cell < 5; cell++) line.insertCell().textContent = `${row} ${cell}`;
  }
  document.body.append(table);
  table.getBoundingClientRect();
  return performance.now() - started;
}

async function moveBoxes(count) {
  const place = document.getElementById("place");
  for (let n = 0; n < count; n++) {
    const box = document.createElement("div");
    box.className = "box";
    box.textContent = `Box ${n}`;
    box.style.left = `${(n % 25) * 55}px`;
    box.style.top = `${Math.floor(n / 25) * 40}px`;
    place.append(box);
  }
  const started = performance.now();
  let frames = 0;
  while (performance.now() - started < 2_000) {
    await new Promise(requestAnimationFrame);
    place.style.transform = `translate(${frames % 200}px, ${frames % 100}px)`;
    frames++;
  }
  return (frames * 1_000) / (performance.now() - started);
}
