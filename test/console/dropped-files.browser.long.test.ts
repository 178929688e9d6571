/** Files that are dropped on the screen of files, or pasted there. */
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { openBrowserAndServer } from "./support/browser-and-server.ts";
import { openConsole } from "./support/console-tab.ts";
import { holdNext } from "./support/hold-next.ts";

const { browser, server } = await openBrowserAndServer();
const { app, stepwell } = server;

const namesOf = async (search: string) =>
  (await stepwell.files.list(app.id, { search })).items.map(({ name }) => name).sort();

/** What the browser sends of files that are dragged from elsewhere. Returns whether the page has taken the event. */
const drag = (page: Page, type: "dragenter" | "dragover" | "dragleave" | "drop", names: readonly string[]) =>
  page.evaluate(
    ([type, names]) => {
      const dataTransfer = new DataTransfer();
      for (const name of names) dataTransfer.items.add(new File([`The text of ${name}`], name, { type: "text/plain" }));
      const target = document.querySelector("main input") ?? document.body;
      return !target.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
    },
    [type, names] as const,
  );

const paste = (page: Page, files: readonly string[], text: string | null) =>
  page.evaluate(
    ([files, text]) => {
      const clipboardData = new DataTransfer();
      for (const name of files) clipboardData.items.add(new File(["bytes"], name, { type: "image/png" }));
      if (text !== null) clipboardData.setData("text/plain", text);
      const target = document.activeElement ?? document.body;
      return !target.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    },
    [files, text] as const,
  );

const HINT = "Drop files to upload them.";

it("shows where dragged files can be dropped, and uploads them one after the other", async () => {
  const { page, go, faults } = await openConsole(browser, server);
  await go(`/apps/${app.id}/files`);
  const names = ["drop-a.txt", "drop-b.txt", "drop-c.txt"];
  expect(await page.getByText(HINT).count()).toBe(0);
  await drag(page, "dragenter", names);
  expect(await drag(page, "dragover", names)).toBe(true);
  await page.getByText(HINT).waitFor();
  expect(await faults()).toEqual([]);
  await drag(page, "dragleave", names);
  await page.getByText(HINT).waitFor({ state: "detached" });
  const held = holdNext(server, "POST", /\/uploads$/);
  let open = 0;
  page.on("request", (request) => {
    if (request.method() === "POST" && request.url().endsWith("/uploads")) open += 1;
  });
  await drag(page, "dragover", names);
  await drag(page, "drop", names);
  await page.getByText(HINT).waitFor({ state: "detached" });
  await held.arrived;
  await page.getByRole("button", { name: /^Uploading 1 of 3/ }).waitFor();
  expect(open).toBe(1);
  held.release();
  for (const name of names) await page.getByRole("link", { name }).waitFor();
  await page.getByRole("button", { name: "Upload a file" }).waitFor();
  expect(await namesOf("drop-")).toEqual(names);
  await page.locator(".announced").getByText("3 files were uploaded.").waitFor({ state: "attached" });
});

it("uploads a pasted picture, but not what stands beside a text that is pasted into a field", async () => {
  const { page, go } = await openConsole(browser, server);
  await go(`/apps/${app.id}/files`);
  await page.getByLabel("Search").focus();
  expect(await paste(page, ["beside.png"], "the text")).toBe(false);
  expect(await paste(page, [], "the text")).toBe(false);
  expect(await paste(page, ["pasted.png"], null)).toBe(true);
  await page.getByRole("link", { name: "pasted.png" }).waitFor();
  expect(await namesOf("beside")).toEqual([]);
});

it("goes on with the other files after one is refused, and names that one", async () => {
  const { page, go } = await openConsole(browser, server);
  await go(`/apps/${app.id}/files`);
  let count = 0;
  await page.route("**/uploads", (route) => {
    count += 1;
    if (count !== 2) return route.continue();
    const problem = { status: 413, code: "too_large", title: "Content too large", detail: "No room left." };
    return route.fulfill({ status: 413, contentType: "application/problem+json", body: JSON.stringify(problem) });
  });
  await drag(page, "drop", ["many-1.txt", "many-2.txt", "many-3.txt"]);
  await page.getByRole("link", { name: "many-3.txt" }).waitFor();
  const alert = page.getByRole("alert");
  await alert.getByText("many-2.txt").waitFor();
  await alert.getByText("No room left.").waitFor();
  await alert.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("link", { name: "many-2.txt" }).waitFor();
  await alert.waitFor({ state: "detached" });
  expect(await namesOf("many-")).toEqual(["many-1.txt", "many-2.txt", "many-3.txt"]);
});

it("takes no file without the scope to write files", async () => {
  const { key } = await server.createKey("files:read");
  const { page, go } = await openConsole(browser, server, { key });
  await go(`/apps/${app.id}/files`);
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST") sent.push(request.url());
  });
  // The browser would leave the page, and open the file.
  expect(await drag(page, "dragover", ["no.txt"])).toBe(true);
  expect(await page.getByText(HINT).count()).toBe(0);
  expect(await drag(page, "drop", ["no.txt"])).toBe(true);
  expect(await paste(page, ["no.png"], null)).toBe(false);
  expect(sent).toEqual([]);
});
