/** The reference of the API in the console, in a real browser. */
import { expect, it, onTestFinished } from "vitest";
import { createGate } from "../support/gate.ts";
import { openBrowserAndServer } from "./support/browser-and-server.ts";
import { openConsole } from "./support/console-tab.ts";

const { browser, server } = await openBrowserAndServer();

it("lists what a search finds with the best first", async () => {
  const { page, go, faults } = await openConsole(browser, server);
  await go("/docs");
  await page.getByRole("searchbox").fill("start run");
  await page.waitForURL("**/docs?search=start+run");
  await expect.poll(() => page.locator(".operations a code").first().innerText()).toBe("runs.create");
  expect(await faults()).toEqual([]);
});

it("shows examples with what was filled in to try the operation", async () => {
  const { id } = await server.stepwell.tags.create(server.app.id, { name: "Urgent" });
  const { page, go, faults } = await openConsole(browser, server);
  await go("/docs/tags.update");
  const example = page.locator(".example code");
  await page.getByText("Try it", { exact: true }).click();
  await page.getByRole("tab", { name: "client" }).click();
  await expect.poll(() => example.innerText()).toContain('client.tags.update("me", tagId, {})');
  await page.getByLabel("tag_id").fill(id);
  await page.getByLabel("Body application/json").fill('{ "name": "Later" }');
  await expect.poll(() => example.innerText()).toContain(`client.tags.update("me", "${id}", { "name": "Later" })`);
  await page.getByRole("tab", { name: "curl" }).click();
  await expect.poll(() => example.innerText()).toContain(`/apps/me/tags/${id}" \\`);
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await page.getByRole("region", { name: "Response" }).getByText("200 OK").waitFor();
  expect((await server.stepwell.tags.get(server.app.id, id)).name).toBe("Later");
  expect(await faults()).toEqual([]);
});

it("says how many operations a search finds", async () => {
  const { page, go } = await openConsole(browser, server);
  await go("/docs");
  const status = page.locator(".operations").getByRole("status");
  await page.getByRole("searchbox").fill("redeliver");
  await expect.poll(() => status.innerText()).toMatch(/^\d+ operations$/);
  expect(Number.parseInt(await status.innerText(), 10)).toBe(await page.locator(".operations li").count());
  await page.getByRole("searchbox").fill("quux");
  await expect.poll(() => status.innerText()).toBe("No operation matches.");
});

it("offers the values of parameters to choose from, and fields for numbers", async () => {
  const { page, go, faults } = await openConsole(browser, server);
  await go("/docs/runs.list");
  await page.getByText("Try it", { exact: true }).click();
  const form = page.locator(".try-it form");
  await form.getByLabel("order").selectOption("asc");
  await form.getByLabel("status").fill("failed,canceled");
  await form.getByLabel("take").fill("5");
  expect(await form.getByLabel("take").getAttribute("type")).toBe("number");
  await form.getByText("Separate several values with commas. queued running waiting").waitFor();
  await form.getByLabel("metadata").fill('{"customer":"c_17"}');
  await form.getByText('As JSON: {"name":"value"}').waitFor();
  const example = page.locator(".example code");
  await expect
    .poll(() => example.innerText())
    .toMatch(/\?take=5&status=failed%2Ccanceled&metadata%5Bcustomer%5D=c_17&order=asc"/);
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await page.getByRole("region", { name: "Response" }).getByText("200 OK").waitFor();
  await form.getByLabel("order").selectOption("");
  await expect.poll(() => example.innerText()).not.toContain("order");
  await go("/docs/workflows.list");
  await page.getByText("Try it", { exact: true }).click();
  expect(await form.getByLabel("tool").locator("option").allInnerTexts()).toEqual(["Not set", "true", "false"]);
  expect(await faults()).toEqual([]);
});

it("sends a body to a webhook, whose address has the id of the app", async () => {
  const { page, go } = await openConsole(browser, server);
  await go("/docs/hookRequests.post");
  expect(await page.locator(".example code").innerText()).toContain(`/public/apps/hooks/${server.app.id}/`);
  await page.getByText("Try it", { exact: true }).click();
  await page.getByLabel("hook_path").fill("nothing");
  await page.getByLabel("Body application/json").fill('{ "n": 1 }');
  const sent = page.waitForRequest("**/public/apps/hooks/*/nothing");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  expect((await sent).postData()).toBe('{ "n": 1 }');
});

it("uploads a file", async () => {
  const { upload_url, future_file_id } = await server.stepwell.files.createUpload(server.app.id);
  const { page, go, faults } = await openConsole(browser, server);
  await go("/docs/files.receive");
  await page.getByText("Try it", { exact: true }).click();
  await page.getByLabel("upload_id").fill(new URL(upload_url).pathname.split("/").at(-1) ?? "");
  const file = { name: "note.txt", mimeType: "text/plain", buffer: Buffer.from("Hello") };
  await page.getByLabel("Body multipart/form-data").setInputFiles(file);
  await expect.poll(() => page.locator(".example code").innerText()).toContain(`-F 'file=@"note.txt"'`);
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await page.getByRole("region", { name: "Response" }).getByText("201", { exact: true }).waitFor();
  expect((await server.stepwell.files.get(server.app.id, future_file_id)).name).toBe("note.txt");
  expect(await faults()).toEqual([]);
});

it("keeps what has arrived of a response whose connection is lost", async () => {
  const lost = createGate();
  server.intercept((request, response) => {
    if (!/\/runs\/run_1\/events$/.test(request.url ?? "")) return false;
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write('data: {"n":1}\n\n');
    void lost.released.then(() => response.destroy());
    return true;
  });
  onTestFinished(() => server.intercept(() => false));
  const { page, go, complaints } = await openConsole(browser, server);
  complaints.allow(/Failed to load resource: net::ERR/);
  await go("/docs/runs.events");
  await page.getByText("Try it", { exact: true }).click();
  await page.getByLabel("run_id").fill("run_1");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  const result = page.getByRole("region", { name: "Response" });
  await result.getByText('data: {"n":1}').waitFor();
  lost.release();
  await result.getByRole("alert").waitFor();
  expect(await result.innerText()).toMatch(
    /^200 OK\s+data: \{"n":1\}\s+The connection was lost before the response ended\.$/,
  );
});

it("has no second scroll bar beside that of the list", async () => {
  const { page, go } = await openConsole(browser, server, { viewport: { width: 1440, height: 900 } });
  await go("/docs");
  await page.locator(".operations li").first().waitFor();
  const height = await page.evaluate(() => globalThis.document.documentElement.scrollHeight);
  expect(height).toBe(900);
});

it.each([768, 390])("folds the list above an operation in a window of %d pixels", async (width) => {
  const { page, go, faults } = await openConsole(browser, server, { viewport: { width, height: 900 } });
  await go("/docs/tags.update");
  const search = page.getByRole("searchbox");
  const top = async (place: ReturnType<typeof page.locator>) => (await place.boundingBox())?.y ?? Number.NaN;
  expect(await top(search)).toBeLessThan(await top(page.getByRole("heading", { level: 1 })));
  const link = page.locator(".operations").getByRole("link", { name: "tags.create" });
  expect(await link.isVisible()).toBe(false);
  await page.getByText("All operations").click();
  await link.click();
  await page.waitForURL("**/docs/tags.create");
  await expect.poll(() => link.isVisible()).toBe(false);
  await search.fill("cancel run");
  await page.locator(".operations").getByRole("link", { name: "runs.cancel" }).click();
  await page.getByRole("heading", { level: 1, name: "Cancel a run" }).waitFor();
  expect(await faults()).toEqual([]);
});

it("finds its search with the slash, and shows the whole of each link that has the focus", async () => {
  const { page, go } = await openConsole(browser, server);
  await go("/docs/tags.update");
  const search = page.getByRole("searchbox");
  await page.getByRole("heading", { level: 1 }).focus();
  const hasFocus = () => search.evaluate((field) => field === document.activeElement);
  // The page listens once it is drawn.
  await expect.poll(() => page.keyboard.press("/").then(hasFocus)).toBe(true);
  await page.keyboard.type("a/b");
  expect(await search.inputValue()).toBe("a/b");
  await search.fill("");
  const links = page.locator(".operations").getByRole("link");
  await expect.poll(() => links.count()).toBeGreaterThan(100);
  await links.last().focus();
  for (let back = 0; back < 30; back++) {
    await page.keyboard.press("Shift+Tab");
    const covered = () =>
      page.evaluate(() => {
        const { left, top } = document.activeElement?.getBoundingClientRect() ?? new DOMRect();
        return document.elementFromPoint(left + 4, top + 2)?.closest("a") !== document.activeElement;
      });
    await expect.poll(covered).toBe(false);
  }
});
