/** A tab with the console, and what Chromium knows of it. */
import { launch } from "../../test/support/browser/site.ts";
import { installChromium, installHeadlessShell } from "../../test/support/servers/install.ts";

const LETTERS = "abcdefgh";
const KEYS = 40;
/** What `keyWork` has typed. */
export const TYPED = LETTERS.repeat(KEYS / LETTERS.length);

export const openBrowser = () => launch(installHeadlessShell() ?? installChromium());

/** A tab of its own cache, with a session of the app. */
export async function openTab(browser, server) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: "en-US" });
  context.setDefaultTimeout(120_000);
  await context.addInitScript(watchPage);
  const { key } = await server.createKey();
  const headers = { "stepwell-console": "1" };
  const response = await context.request.post(server.at("/session"), { headers, data: { key } });
  if (response.status() !== 200) throw new Error(await response.text());
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  const work = await watchWork(page);
  return {
    page,
    cdp,
    path: (rest) => server.at(`/apps/${server.app.id}${rest}`),
    work,
    /** Bytes of the heap without garbage. */
    async heap() {
      for (let round = 0; round < 3; round++) await cdp.send("HeapProfiler.collectGarbage");
      return (await cdp.send("Runtime.getHeapUsage")).usedSize;
    },
    close: () => context.close(),
  };
}

/** A function that gives milliseconds of the processor that the main thread of a page has worked, and of these in scripts. */
export async function watchWork(page) {
  const cdp = await page.context().newCDPSession(page);
  // Processor time, which other programs change little.
  await cdp.send("Performance.enable", { timeDomain: "threadTicks" });
  return async () => {
    const { metrics } = await cdp.send("Performance.getMetrics");
    const of = (name) => (metrics.find((metric) => metric.name === name)?.value ?? 0) * 1_000;
    return { all: of("TaskDuration"), script: of("ScriptDuration") };
  };
}

/** Milliseconds of work for each key that is typed into the field with the focus, until it is drawn. */
export async function keyWork(page, work) {
  const times = [];
  for (let key = 0; key < KEYS; key++) {
    const before = await work();
    await page.keyboard.press(LETTERS[key % LETTERS.length]);
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
    times.push((await work()).all - before.all);
  }
  return times;
}

/** Runs in each page before its own scripts: moments at which something can be seen, and the lengths of frames. */
function watchPage() {
  const painted = () =>
    new Promise((resolve) => requestAnimationFrame(() => setTimeout(() => resolve(performance.now()))));
  const bench = {
    /** The moment at which a condition holds on the screen. */
    seen: (holds) =>
      new Promise((resolve) => {
        const look = () => {
          if (!holds()) return false;
          observer.disconnect();
          void painted().then(resolve);
          return true;
        };
        const observer = new MutationObserver(look);
        observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
        look();
      }),
    clickedAt: 0,
    frames: [],
    recordFrames() {
      bench.frames = [];
      let last = performance.now();
      const next = (now) => {
        bench.frames.push(now - last);
        last = now;
        bench.request = requestAnimationFrame(next);
      };
      bench.request = requestAnimationFrame(next);
    },
    stopFrames() {
      cancelAnimationFrame(bench.request);
      return bench.frames.slice(1);
    },
  };
  addEventListener("click", ({ timeStamp }) => (bench.clickedAt = timeStamp), { capture: true });
  window.bench = bench;
}

/**
 * Milliseconds from a click until a condition holds on the screen.
 * @param click Clicks once
 * @param holds Is true when it does. Runs in the page
 */
export async function afterClick(page, click, holds) {
  // As text: the policy of the page lets it evaluate none itself.
  await page.evaluate(`
    bench.clickedAt = 0;
    bench.waiting = bench.seen(() => bench.clickedAt > 0 && (${holds})());
    undefined; // does not wait for it
  `);
  await click();
  return page.evaluate("bench.waiting.then((at) => at - bench.clickedAt)");
}

/** The moment at which a condition holds on the screen, in milliseconds from the start of the page. */
export const seenAt = (page, holds) => page.evaluate(`bench.seen(${holds})`);

/** When the page has first drawn something, in milliseconds from its start. */
export const firstPaint = (page) =>
  page.evaluate(
    () =>
      new Promise((resolve) => {
        new PerformanceObserver((list, observer) => {
          const paint = list.getEntriesByName("first-contentful-paint")[0];
          if (paint === undefined) return;
          observer.disconnect();
          resolve(paint.startTime);
        }).observe({ type: "paint", buffered: true });
      }),
  );
