/** An upload address: shown in the tab that has created it, until it is used. */
import { expect, it } from "vitest";
import { openBrowserAndServer } from "./support/browser-and-server.ts";
import { openConsole } from "./support/console-tab.ts";

const { browser, server } = await openBrowserAndServer();

it("shows an upload address after a reload, how long it is valid, and the file that arrived", async () => {
  const { page, go, faults } = await openConsole(browser, server);
  await go(`/apps/${server.app.id}/uploads/new`);
  const main = page.getByRole("main");
  await main.getByRole("button", { name: "Create" }).click();
  await main.getByRole("heading", { level: 1, name: "Upload address" }).waitFor();
  const link = main.getByRole("link", { name: "/public/apps/files/uploads/" });
  const url = await link.innerText();
  expect(await link.getAttribute("href")).toBe(url);
  await main.getByText("Valid until", { exact: true }).waitFor();
  expect(await faults()).toEqual([]);
  await page.reload();
  expect(await link.innerText()).toBe(url);

  const form = new FormData();
  form.set("file", new File(["text"], "report.txt", { type: "text/plain" }));
  expect((await fetch(url, { method: "POST", body: form })).status).toBe(201);
  await main.getByText("This address was used: the file has arrived.").waitFor();
  expect(await link.count()).toBe(0);
  expect(await main.getByRole("img", { name: "QR code of the address" }).count()).toBe(0);
  expect(await faults()).toEqual([]);
  await main.getByRole("link", { name: "Open the file" }).click();
  await main.getByRole("heading", { level: 1, name: "report.txt" }).waitFor();
  await page.goBack();
  await main.getByRole("link", { name: "Open the file" }).waitFor();
  const { id: file } = (await server.stepwell.files.list(server.app.id)).items[0] ?? { id: "" };
  await server.stepwell.files.remove(server.app.id, file);
  await main.getByText("This address was used. Its file has been deleted.").waitFor();
  expect(await main.getByRole("link", { name: "Open the file" }).count()).toBe(0);
  expect(await faults()).toEqual([]);
  await page.reload();
  await main.getByText("This address was used. Its file has been deleted.").waitFor();
  expect(await link.count()).toBe(0);
  await main.getByRole("button", { name: "Done" }).click();
  await main.getByRole("heading", { level: 1, name: "Files" }).waitFor();
});

it("says that another tab cannot show an upload address", async () => {
  const { page, go, faults } = await openConsole(browser, server);
  await go(`/apps/${server.app.id}/uploads/file_01h00000000000000000000000`);
  const main = page.getByRole("main");
  await main.getByText("This address cannot be shown again.").waitFor();
  expect(await faults()).toEqual([]);
  await main.getByRole("link", { name: "New upload address" }).click();
  await main.getByRole("heading", { level: 1, name: "New upload address" }).waitFor();
});
