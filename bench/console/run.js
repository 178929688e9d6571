/**
 * The console in Chromium against its budgets, with a plain page measured beside it. Exits with 1 if one is missed.
 * `node --import ../test/support/typescript/register.js console/run.js [loading canvas live values typing]`
 */
import buildPage from "../../test/support/servers/console-page.ts";
import { createBudgets } from "./budgets.js";
import { openFloor } from "./floor.js";
import { measureLoading } from "./loading.js";
import { openSeededServer } from "./seed.js";
import { openBrowser } from "./tab.js";

const ALL = { loading: measureLoading };
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
    console.log(`\n# ${name} (plain page: first paint ${paint.toFixed(0)} ms, 2,000 rows ${rows.toFixed(0)} ms; limits × ${factor.toFixed(2)})`);
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
