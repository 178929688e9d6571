/** The first page and the ones after it. */
import { median } from "../measure.js";
import { afterClick, firstPaint, openTab, seenAt } from "./tab.js";

const ROUNDS = 5;
const hasRows = () => document.querySelector("[data-run]") !== null;

export async function measureLoading({ browser, server, budgets }) {
  const seen = { coldPaint: [], coldList: [], cachedPaint: [], cachedList: [] };
  for (let round = 0; round < ROUNDS; round++) {
    const tab = await openTab(browser, server);
    const load = async (paint, list) => {
      await tab.page.goto(tab.path("/runs"), { waitUntil: "commit" });
      list.push(await seenAt(tab.page, hasRows));
      paint.push(await firstPaint(tab.page));
    };
    await load(seen.coldPaint, seen.coldList);
    await tab.page.goto("about:blank");
    await load([], []); // Chromium keeps compiled scripts from their second use on.
    await tab.page.goto("about:blank");
    await load(seen.cachedPaint, seen.cachedList);
    await tab.close();
  }
  budgets.time("first paint, cold", median(seen.coldPaint), 500);
  budgets.time("list of 10,000 runs usable, cold", median(seen.coldList), 1_000);
  budgets.time("first paint, cached", median(seen.cachedPaint), 300);
  budgets.time("list of 10,000 runs usable, cached", median(seen.cachedList), 500);
  await measurePages({ browser, server, budgets });
  await measureServer({ server, budgets });
}

/** Each section twice: its files are loaded with the first visit. What was there stays until the next page is drawn. */
async function measurePages({ browser, server, budgets }) {
  const tab = await openTab(browser, server);
  const { page } = tab;
  await page.goto(tab.path(""));
  await page.getByRole("heading", { level: 1 }).waitFor();
  const links = await page.getByRole("navigation").getByRole("link").all();
  for (const visit of ["first", "again"]) {
    const visits = [];
    // The first one leads to where the page is.
    for (const link of [...links.slice(1), links[0]]) visits.push(await visitBy(page, link));
    const slowest = visits.reduce((one, other) => (one.time > other.time ? one : other));
    budgets.note(`page to page, ${visit}: the slowest (${slowest.section})`, slowest.time, "ms");
    budgets.time("the same: without a page", Math.max(...visits.map(({ empty }) => empty)), 100);
  }
  await tab.close();
}

async function visitBy(page, link) {
  const path = new URL(await link.evaluate(({ href }) => href)).pathname;
  await page.evaluate(() => {
    window.bench.heading = document.querySelector("main h1");
    window.bench.empty = 0;
    let last = performance.now();
    const look = (now) => {
      if (document.querySelector("main h1") === null) window.bench.empty += now - last;
      last = now;
      window.bench.looking = requestAnimationFrame(look);
    };
    window.bench.looking = requestAnimationFrame(look);
  });
  const isThere = () => {
    const heading = document.querySelector("main h1");
    return heading !== null && heading !== window.bench.heading && document.querySelector(".loading") === null;
  };
  const time = await afterClick(page, () => link.click(), isThere);
  const empty = await page.evaluate(() => {
    cancelAnimationFrame(window.bench.looking);
    return window.bench.empty;
  });
  await page.waitForTimeout(300);
  return { section: path.split("/").slice(4).join("/") || "overview", time, empty };
}

async function measureServer({ server, budgets }) {
  const { key } = await server.createKey();
  const times = [];
  for (let call = 0; call < 60; call++) {
    const started = performance.now();
    const response = await fetch(`${server.baseUrl}/apps/${server.app.id}/runs?take=50`, {
      headers: { authorization: `Bearer ${key}` },
    });
    await response.arrayBuffer();
    times.push(performance.now() - started);
  }
  budgets.time("one page of the list at the server, over HTTP", median(times), 5);
}
