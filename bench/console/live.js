/** A run that sends 50 events a second for a minute, with 200 steps in the page. */
import { openTab } from "./tab.js";

const SECONDS = Number(process.env.BENCH_SECONDS ?? 60);
/** What the log lines take themselves, and noise. */
const MOST_GROWTH_MB = 5;

export async function measureLive({ browser, server, budgets }) {
  for (const view of ["list", "canvas"]) {
    const tab = await openTab(browser, server);
    const run = await server.startTalking(SECONDS);
    await tab.page.goto(tab.path(`/runs/${run}?step=talk_150&tab=log&view=${view}`));
    await tab.page
      .locator(view === "list" ? "[data-row=talk_198]" : "[data-step=talk_198]")
      .waitFor({ state: "attached" });
    await tab.page.waitForTimeout(2_000);
    const heap = await tab.heap();
    const before = await tab.work();
    const started = performance.now();
    await tab.page.evaluate(() => window.bench.recordFrames());
    await tab.page.waitForTimeout((SECONDS - 6) * 1_000);
    const frames = await tab.page.evaluate(() => window.bench.stopFrames());
    const after = await tab.work();
    const share = (after.all - before.all) / (performance.now() - started);
    budgets.time(`50 events/s, ${view} of 200 steps: longest frame`, Math.max(...frames), 100);
    budgets.note("the same: work of the main thread", share * 100, "%");
    budgets.most("the same: growth of the heap", Math.max(0, (await tab.heap()) - heap) / 1e6, "MB", MOST_GROWTH_MB);
    await tab.close();
    await server.stepwell.runs.wait(server.app.id, run);
  }
}
