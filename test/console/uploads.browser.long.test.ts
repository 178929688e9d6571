/** Uploads to the files of an app continue after the server was gone. */
import { describe, expect, it, onTestFinished } from "vitest";
import { createGate } from "../support/gate.ts";
import { openBrowserAndServer } from "./support/browser-and-server.ts";
import { openConsole } from "./support/console-tab.ts";

const { browser, server } = await openBrowserAndServer();
const { app } = server;
const LOST = /ERR_CONNECTION|ERR_SOCKET|ERR_EMPTY_RESPONSE|ERR_INCOMPLETE_CHUNKED|ERR_NETWORK|ERR_FAILED/;
const BYTES = Buffer.alloc(1024 * 1024, "stepwell ");

/** Chooses a file whose upload stops after the first part, because the server is gone. */
async function interrupted() {
  const tab = await openConsole(browser, server);
  const { page, go, complaints } = tab;
  complaints.allow(LOST);
  await go(`/apps/${app.id}/files`);
  const hasPart = createGate();
  onTestFinished(() => server.intercept(() => false));
  server.intercept(({ method, socket }) => {
    if (method !== "PATCH") return false;
    hasPart.release();
    socket.destroy();
    return true;
  });
  const created: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST" && request.url().endsWith("/uploads")) created.push(request.url());
  });
  const choosing = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Upload a file" }).click();
  await (await choosing).setFiles({ name: "long.txt", mimeType: "text/plain", buffer: BYTES });
  await hasPart.released;
  await server.down();
  await page.getByText("Connection lost. The upload continues when the server responds.").waitFor();
  expect(await page.getByText("What you typed is kept").count()).toBe(0);
  return { ...tab, created };
}

describe("an upload whose server is gone", () => {
  it("continues where the server has it when it is back", async () => {
    const { page, created, faults } = await interrupted();
    expect(await faults()).toEqual([]);
    const offsets: string[] = [];
    page.on("request", (request) => {
      if (request.method() === "PATCH") offsets.push(request.headers()["upload-offset"] ?? "");
    });
    server.intercept(() => false);
    await server.up();
    await page.getByRole("link", { name: "long.txt" }).waitFor();
    await page.getByRole("button", { name: "Upload a file" }).waitFor();
    expect(created).toHaveLength(1);
    expect(offsets).not.toContain("0");
    const { items } = await server.stepwell.files.list(app.id, { search: "long.txt" });
    expect(items.map(({ size }) => size)).toEqual([BYTES.length]);
  });

  it("can be canceled", async () => {
    const { page } = await interrupted();
    await page.getByRole("button", { name: "Try again" }).waitFor();
    await page.getByRole("button", { name: "Cancel", exact: true }).click();
    await page.getByRole("button", { name: "Upload a file" }).waitFor();
    expect(await page.getByText("Connection lost").count()).toBe(0);
    server.intercept(() => false);
    await server.up();
  });
});
