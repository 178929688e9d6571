/** API keys: what each permission opens is said in words, and nothing is chosen for whoever creates a key. */
import { expect, it } from "vitest";
import { SCOPES } from "../../src/calls/caller.ts";
import { openBrowserAndServer } from "./support/browser-and-server.ts";
import { ADMIN_KEY } from "./support/console-server.ts";
import { openConsole } from "./support/console-tab.ts";
import { focusAt } from "./support/focus.ts";

const { browser, server } = await openBrowserAndServer();

it("starts without permissions, and says what each of them opens", async () => {
  const { page, go, faults } = await openConsole(browser, server, { key: ADMIN_KEY });
  await go(`/apps/${server.app.id}/keys?new=1`);
  const dialog = page.getByRole("dialog", { name: "New key" });
  await dialog.getByLabel("Name").fill("Back office");
  await dialog.getByLabel("Only what is chosen").check();
  const boxes = dialog.getByRole("checkbox");
  const checked = () => boxes.evaluateAll((all) => all.filter((box) => box.matches(":checked")).length);
  expect(await checked()).toBe(0);
  const create = dialog.getByRole("button", { name: "Create" });
  await create.click();
  const refusal = dialog.getByRole("group").getByText("Choose at least one permission.");
  await refusal.waitFor();
  // A person sees what is missing, and is where it is mended.
  await focusAt(page, "[aria-label='Workflows: Read']");
  const [top, bottom] = await refusal.evaluate((one) => {
    const body = one.closest("form")?.parentElement?.getBoundingClientRect();
    const { top: start, bottom: end } = one.getBoundingClientRect();
    return [start - (body?.top ?? 0), (body?.bottom ?? 0) - end];
  });
  expect(Math.min(top ?? -1, bottom ?? -1)).toBeGreaterThanOrEqual(0);
  await dialog.getByText("Addresses at which other systems start workflows.").waitFor();
  await dialog.getByRole("button", { name: "All reading" }).click();
  expect(await checked()).toBe(10);
  expect(await faults()).toEqual([]);
  await dialog.getByRole("button", { name: "None" }).click();
  await dialog.getByLabel("Outgoing webhooks: Read").check();
  await create.click();
  await page.getByRole("dialog", { name: "Your new key" }).waitFor();
  const { items } = await server.stepwell.keys.list(server.app.id);
  expect(items.find(({ name }) => name === "Back office")?.scopes).toEqual(["webhooks:read"]);
});

it.each([1440, 390])("has the boxes of all permissions within its dialog at %i pixels", async (width) => {
  const viewport = { width, height: 900 };
  const { page, go } = await openConsole(browser, server, { key: ADMIN_KEY, viewport });
  await go(`/apps/${server.app.id}/keys?new=1`);
  const dialog = page.getByRole("dialog", { name: "New key" });
  await dialog.getByLabel("Only what is chosen").check();
  const ends = await dialog
    .getByRole("checkbox")
    .evaluateAll((all) => all.map((box) => box.getBoundingClientRect().right));
  const body = await dialog
    .locator(".dialog-body")
    .evaluate((one) => one.getBoundingClientRect().left + one.clientWidth);
  expect(ends.length).toBeGreaterThan(20);
  expect(ends.filter((end) => end > body)).toEqual([]);
});

it("says when a key was last used as precisely as it is stored", async () => {
  const { key } = await server.createKey();
  await fetch(`${server.baseUrl}/me`, { headers: { authorization: `Bearer ${key}` } });
  await expect
    .poll(async () => (await server.stepwell.keys.list(server.app.id)).items.some((one) => one.last_used_at !== null))
    .toBe(true);
  const { page, go } = await openConsole(browser, server, { key: ADMIN_KEY });
  await go(`/apps/${server.app.id}/keys`);
  await page.getByText("within the last hour", { exact: true }).first().waitFor();
});

it("names the key in the button that revokes it", async () => {
  const { stepwell, app } = server;
  for (const name of ["Bank", "Shop"]) await stepwell.keys.create(app.id, { name });
  const { page, go } = await openConsole(browser, server, { key: ADMIN_KEY });
  await go(`/apps/${app.id}/keys`);
  await page.getByRole("button", { name: "Revoke: Bank" }).click();
  await page.getByRole("dialog", { name: "Revoke “Bank”?" }).getByRole("button", { name: "Revoke" }).click();
  await page.getByRole("button", { name: "Revoke: Bank" }).waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Revoke: Shop" }).waitFor();
  await page.locator(".announced").getByText("“Bank” was revoked.").waitFor();
});

it("keeps a name with a hyphen on one line beside many permissions", async () => {
  const { stepwell, app } = server;
  await stepwell.keys.create(app.id, { name: "CI", scopes: ["runs:read"] });
  await stepwell.keys.create(app.id, { name: "CI-Deployment", scopes: [...SCOPES] });
  const { page, go } = await openConsole(browser, server, { key: ADMIN_KEY });
  await page.setViewportSize({ width: 1_100, height: 900 });
  await go(`/apps/${app.id}/keys`);
  const heightOf = async (name: string) =>
    (await page.getByRole("rowheader", { name, exact: true }).locator("bdi").boundingBox())?.height;
  expect(await heightOf("CI-Deployment")).toBe(await heightOf("CI"));
});
