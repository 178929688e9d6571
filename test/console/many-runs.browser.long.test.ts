/** Ten thousand runs, scrolled through at a mount path of two segments. */
import { text } from "node:stream/consumers";
import { expect, it, onTestFinished } from "vitest";
import { until } from "../support/until.ts";
import { openBrowserAndServer } from "./support/browser-and-server.ts";
import { openConsole } from "./support/console-tab.ts";
import { createSeedClock, seed } from "./support/seed.ts";

const RUNS = 10_000;
/** Those on the screen, and some around them. */
const MAX_ROWS = 60;
/** As many runs as one job takes. */
const MAX_IDS = 1_000;

const clock = createSeedClock();
const { browser, server } = await openBrowserAndServer({ clock, mount: "/a/b" });
await seed(server, clock, { runs: RUNS, workflows: 8, records: 5 });

it("has few rows of them in the page, and reads on while somebody scrolls", async () => {
  const { page, go } = await openConsole(browser, server);
  await go(`/apps/${server.app.id}/runs`);
  const grid = page.getByRole("grid");
  await grid.waitFor();
  let most = 0;
  let highest = 0;
  await until(async () => {
    const seen = await page.evaluate(() => {
      scrollTo(0, document.documentElement.scrollHeight);
      const rows = [...document.querySelectorAll("[data-index]")];
      return { count: rows.length, last: Math.max(...rows.map((row) => Number(row.getAttribute("data-index")))) };
    });
    most = Math.max(most, seen.count);
    highest = Math.max(highest, seen.last);
    return (await grid.getAttribute("aria-rowcount")) !== "-1";
  });
  expect(most).toBeLessThanOrEqual(MAX_ROWS);
  const { total = 0 } = await server.stepwell.runs.list(server.app.id, { take: 1 });
  expect(total).toBeGreaterThan(RUNS);
  expect(Number(await grid.getAttribute("aria-rowcount"))).toBe(total + 1);
  expect(highest).toBeGreaterThan(RUNS / 2);
});

it("goes on with the runs that are left when one of several jobs could not be started", async () => {
  const { page, go } = await openConsole(browser, server);
  await go(`/apps/${server.app.id}/runs?status=succeeded`);
  await page.locator("[data-run]").first().waitFor();
  await until(() =>
    page.evaluate((wanted) => {
      scrollTo(0, document.documentElement.scrollHeight);
      const rows = [...document.querySelectorAll("[data-run][data-index]")];
      return rows.some((row) => Number(row.getAttribute("data-index")) > wanted);
    }, MAX_IDS),
  );
  await page.getByRole("checkbox", { name: "Select all runs shown" }).check();
  const said = await page.getByText(/^[\d,]+ runs selected$/).innerText();
  const count = Number(said.replaceAll(/\D/g, ""));
  let asked = 0;
  onTestFinished(() => server.intercept(() => false));
  server.intercept(({ method, url = "" }, response) => {
    if (method !== "POST" || !url.endsWith("/runs/bulk") || ++asked !== 2) return false;
    response.writeHead(403, { "content-type": "application/problem+json" });
    response.end(JSON.stringify({ status: 403, code: "forbidden", title: "Forbidden", detail: "No more now." }));
    return true;
  });
  await page.getByRole("button", { name: "Delete" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Delete" }).click();
  await dialog.getByText("No more now.").waitFor();
  const left = (count - MAX_IDS).toLocaleString("en-US");
  await dialog.getByRole("heading", { name: `Delete ${left} runs?` }).waitFor();
  await dialog.getByRole("button", { name: "Delete" }).click();
  await dialog.waitFor({ state: "detached" });
  const { items } = await server.stepwell.jobs.list(server.app.id);
  const totals = items.filter(({ kind }) => kind === "runs.bulk").map(({ total }) => total);
  expect(totals.toSorted()).toEqual([MAX_IDS, count - MAX_IDS].toSorted());
});

it("asks for the same job when somebody tries again, also for the runs of a span of time", async () => {
  const { page, go } = await openConsole(browser, server);
  await go(`/apps/${server.app.id}/runs?from=30d`);
  const sent: string[] = [];
  onTestFinished(() => server.intercept(() => false));
  server.intercept((request, response) => {
    if (request.method !== "POST" || request.url?.endsWith("/runs/bulk") !== true) return false;
    void text(request).then((body) => {
      sent.push(`${request.headers["idempotency-key"]} ${body}`);
      response.writeHead(403, { "content-type": "application/problem+json" });
      response.end(JSON.stringify({ status: 403, code: "forbidden", title: "Forbidden", detail: "Not now." }));
    });
    return true;
  });
  await page.getByRole("checkbox", { name: "Select all runs shown" }).check();
  await page.getByRole("button", { name: "Select all that match" }).click();
  await page.getByRole("button", { name: "Delete" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Delete" }).click();
  await dialog.getByText("Not now.").waitFor();
  await dialog.getByRole("button", { name: "Delete" }).click();
  await expect.poll(() => sent).toHaveLength(2);
  expect(sent[0]).toContain("created_after");
  expect(sent[1]).toBe(sent[0]);
});

it("opens deep addresses below the mount path", async () => {
  const { page, go } = await openConsole(browser, server);
  await go("/shortcuts");
  await page.goto(server.at(`/apps/${server.app.id}/runs?status=waiting`));
  await page.locator("[data-run]").first().waitFor();
  await page.reload();
  await page.locator("[data-run]").first().waitFor();
  expect(new URL(page.url()).pathname).toBe(`/a/b/console/apps/${server.app.id}/runs`);
  await page.getByRole("link", { name: "Overview" }).click();
  await page.getByRole("heading", { name: "Recent runs" }).waitFor();
});
