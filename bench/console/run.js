/**
 * The console in Chromium against its budgets, with a plain page measured beside it. Exits with 1 if one is missed.
 * `node --import ../test/support/typescript/register.js console/run.js [loading canvas values typing live]`
 */
import buildPage from "../../test/support/servers/console-page.ts";
import { createBudgets } from "./budgets.js";
import { measureCanvas } from "./canvas.js";
import { openFloor } from "./floor.js";
import { measureLive } from "./live.js";
import { measureLoading } from "./loading.js";
import { openSeededServer } from "./seed.js";
import { openBrowser } from "./tab.js";
import { measureTyping } from "./typing.js";
import { measureValues } from "./values.js";

const ALL = {
  loading: measureLoading,
  canvas: measureCanvas,
  values: measureValues,
  typing: measureTyping,
  live: measureLive,
};
const chosen = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(ALL);

await buildPage();
const server = await openSeededServer();
const browser = await openBrowser();
const floor = await openFloor(browser);
const budgets = createBudgets();
try {
  for (const name of chosen) {
    const { paint, rows, factor } = await floor.slowness();
    budgets.setSlowness(factor);
    console.log(
      `\n# ${name} (plain page: first paint ${paint.toFixed(0)} ms, 2,000 rows ${rows.toFixed(0)} ms; limits × ${factor.toFixed(2)})`,
    );
    await ALL[name]({ browser, server, floor, budgets });
  }
} finally {
  floor.close();
  await browser.close();
  await server.close();
}
if (budgets.missed.length > 0) {
  console.log(`\nMissed: ${budgets.missed.join("; ")}`);
  process.exitCode = 1;
}
