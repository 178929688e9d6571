/** What a run page shows of much: 200 steps, 5,000 repetitions, an output of 10 MB. */
import { median } from "../measure.js";
import { afterClick, openTab } from "./tab.js";

const ROUNDS = 5;
const PREVIEW_BYTES = 262_144;

export async function measureValues({ browser, server, budgets }) {
  const tab = await openTab(browser, server);
  const { page } = tab;
  const inRounds = async (measure) => {
    const seen = [];
    for (let round = 0; round < ROUNDS; round++) seen.push(await measure());
    return median(seen);
  };

  const clicked = await inRounds(async () => {
    await page.goto(tab.path(`/runs?workflow=${server.large[200]}`));
    const link = page.locator("[data-run] a").first();
    await link.waitFor();
    return afterClick(
      page,
      () => link.click(),
      () => document.querySelectorAll("[data-row]").length === 200,
    );
  });
  budgets.time("run page with 200 steps, from click", clicked, 800);

  const rowOf = (run) =>
    inRounds(async () => {
      await page.goto(tab.path("/runs?status=succeeded"));
      await page.locator("[data-run]").first().waitFor();
      // As a link of the page would.
      await page.evaluate(
        (path) => {
          const link = document.createElement("a");
          link.textContent = "x";
          link.id = "to-run";
          link.onclick = (event) => {
            event.preventDefault();
            history.pushState(null, "", path);
            dispatchEvent(new PopStateEvent("popstate"));
          };
          document.querySelector("main").prepend(link);
        },
        tab.path(`/runs/${run}`),
      );
      return afterClick(
        page,
        () => page.locator("#to-run").click(),
        () => document.querySelector(".item-strip path") !== null,
      );
    });
  const few = await rowOf(server.itemRun.few);
  budgets.time(
    "row of 5,000 repetitions, beyond that of 5",
    Math.max(0, (await rowOf(server.itemRun.many)) - few),
    100,
  );

  await page.goto(tab.path(`/runs/${server.bigRun}`));
  await page.locator("[data-row=big]").waitFor();
  let bytes = 0;
  await tab.cdp.send("Network.enable");
  tab.cdp.on("Network.dataReceived", ({ dataLength }) => (bytes += dataLength));
  const shown = await afterClick(
    page,
    () => page.locator("[data-row=big]").click(),
    () =>
      document.querySelector(".run-inspector h2")?.textContent.trim() === "big" &&
      document.querySelector(".run-inspector .value-view .cut-note") !== null,
  );
  budgets.time("output of 10 MB: its first 256 KiB", shown, 300);
  await page.waitForTimeout(500);
  budgets.most("the same: bytes loaded", bytes / 1_000, "KB", (PREVIEW_BYTES * 1.2) / 1_000);
  await tab.close();
}
