/** The number of runs of each version, and of those that have failed. */
import { expect, it } from "vitest";
import { until } from "../../support/until.ts";
import { openBrowserAndServer } from "../support/browser-and-server.ts";
import { openConsole } from "../support/console-tab.ts";
import { refuse } from "../support/refuse.ts";

const { browser, server } = await openBrowserAndServer();
const { stepwell, app } = server;
const { id: workflow } = await stepwell.workflows.create(app.id, { name: "Counted", steps: [] });
const path = `/apps/${app.id}/workflows/${workflow}`;

/** Deploys a version. With a condition that is wrong, its runs fail. */
async function deploy(condition: string): Promise<void> {
  const conditions = { large: { condition, destinations: [], order: 1 } };
  const steps = [
    { type: "input", key: "start", input: {}, destinations: ["check"] } as const,
    { type: "branch", key: "check", conditions } as const,
  ];
  await stepwell.workflows.putDraft(app.id, workflow, { steps });
  await stepwell.workflows.deploy(app.id, workflow);
}

async function run(version: number): Promise<void> {
  const { id } = await stepwell.runs.create(app.id, workflow, { version: String(version) });
  await stepwell.runs.wait(app.id, id);
}

await deploy("true");
await deploy("input.missing.n > 3");
await deploy("false");
for (const version of [1, 1, 1, 2, 2]) await run(version);

it("leads to the list of these runs, and stays where there are none", async () => {
  const { page, go, faults } = await openConsole(browser, server);
  await go(`${path}/versions`);
  await page.getByRole("link", { name: "Version 1, Runs: 3" }).waitFor();
  const failed = page.getByRole("link", { name: "Version 2, Failed: 2 (100%)" });
  await failed.waitFor();
  const cells = page.getByRole("row", { name: /Version 3/ }).locator(".version-runs");
  await expect.poll(() => cells.allInnerTexts()).toEqual(["0", "0"]);
  expect(
    await page
      .getByRole("row", { name: /Version 1/ })
      .locator(".version-runs.failed a")
      .count(),
  ).toBe(0);
  expect(await faults()).toEqual([]);
  await failed.click();
  await page.locator(".page-head .total").getByText("2 runs", { exact: true }).waitFor();
  const { searchParams } = new URL(page.url());
  expect(Object.fromEntries(searchParams)).toEqual({ workflow, version: "2", status: "failed" });
});

it("is beside the title of a version, on a phone as well", async () => {
  const { page, go, faults } = await openConsole(browser, server, { viewport: { width: 390, height: 844 } });
  await go(`${path}/versions/2`);
  await page.getByRole("link", { name: "Version 2, Runs: 2" }).waitFor();
  await page.getByRole("link", { name: "Version 2, Failed: 2 (100%)" }).waitFor();
  expect(await faults()).toEqual([]);
  await go(`${path}/versions/draft`);
  await page.getByRole("tab", { name: "Canvas" }).waitFor();
  expect(await page.locator(".version-runs").count()).toBe(0);
});

it("moves nothing when it comes", async () => {
  const { page, go } = await openConsole(browser, server);
  let isHeld = true;
  const held: (() => void)[] = [];
  await page.route(/\/runs\?.*version=/, async (route) => {
    if (isHeld) await new Promise<void>((resolve) => held.push(resolve));
    await route.continue();
  });
  await go(`${path}/versions`);
  const places = () =>
    page.locator(".table th, .table td").evaluateAll((all) =>
      all.map((cell) => {
        const { left, top, width, height } = cell.getBoundingClientRect();
        return [left, top, width, height];
      }),
    );
  await until(() => held.length > 0);
  const before = await places();
  isHeld = false;
  for (const release of held) release();
  await page.getByRole("link", { name: "Version 2, Failed: 2 (100%)" }).waitFor();
  expect(await places()).toEqual(before);
});

it("is asked for where it is on the screen, four versions at once, and not by who may not read runs", async () => {
  const many = await stepwell.workflows.create(app.id, { name: "Many", steps: [] });
  for (let n = 0; n < 40; n++) {
    await stepwell.workflows.putDraft(app.id, many.id, { steps: [{ type: "code", key: `a_${n}`, code: "return 1" }] });
    await stepwell.workflows.deploy(app.id, many.id);
  }
  const at = `/apps/${app.id}/workflows/${many.id}/versions`;
  const { page, go } = await openConsole(browser, server);
  const asked = new Set<string>();
  let open = 0;
  let most = 0;
  await page.route(/\/runs\?.*version=/, async (route) => {
    asked.add(new URL(route.request().url()).searchParams.get("version") ?? "");
    most = Math.max(most, ++open);
    const response = await route.fetch();
    open--;
    await route.fulfill({ response });
  });
  await go(at);
  await expect.poll(() => asked.has("40")).toBe(true);
  await expect.poll(() => page.locator(".version-runs", { hasText: "0" }).count()).toBeGreaterThan(10);
  expect(most).toBeLessThanOrEqual(4);
  expect(asked.has("1")).toBe(false);
  await page.getByRole("link", { name: "Version 1", exact: true }).scrollIntoViewIfNeeded();
  await expect.poll(() => asked.has("1")).toBe(true);

  const { key } = await server.createKey("workflows:read");
  const other = await openConsole(browser, server, { key });
  await other.go(at);
  await other.page.getByRole("link", { name: "Version 40", exact: true }).waitFor();
  expect(await other.page.getByRole("columnheader").allInnerTexts()).not.toContain("Failed");
  await other.go(`${at}/1`);
  await other.page.getByRole("tab", { name: "Canvas" }).waitFor();
  expect(await other.page.locator(".version-runs").count()).toBe(0);
});

it("shows a dash that says why it could not be read", async () => {
  const { page, go, faults } = await openConsole(browser, server);
  refuse(server, "GET", /\/runs\?.*version=/, "Not now.");
  await go(`${path}/versions`);
  const cells = page.getByRole("row", { name: /Version 2/ }).locator(".version-runs");
  await expect.poll(() => cells.allInnerTexts()).toEqual(["–", "–"]);
  expect(await cells.getByTitle("Not now.").count()).toBe(2);
  expect(await faults()).toEqual([]);
});

it("is counted again and again for the latest version only", async () => {
  const { page, go } = await openConsole(browser, server);
  await page.clock.install();
  const counts: string[] = [];
  page.on("request", (request) => {
    const { pathname, searchParams } = new URL(request.url());
    const version = searchParams.get("version");
    if (pathname.endsWith("/runs") && version !== null && !searchParams.has("status")) counts.push(version);
  });
  await go(`${path}/versions/3`);
  await expect.poll(() => page.locator(".version-runs").allInnerTexts()).toEqual(["0", "0"]);
  await page.clock.runFor(40_000);
  await expect.poll(() => counts.length).toBeGreaterThan(1);
  await go(`${path}/versions/1`);
  await page.getByRole("link", { name: "Version 1, Runs: 3" }).waitFor();
  await page.clock.runFor(40_000);
  // Requests are seen in order: what the time would have asked for comes before this one.
  await page.evaluate(() => fetch(location.href));
  expect(counts.filter((version) => version === "1")).toEqual(["1"]);
});
