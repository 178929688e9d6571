/** What the browser tests of a file share: opened while the file is loaded, and closed after its last test. */
import type { Browser } from "playwright-core";
import { afterAll, inject } from "vitest";
import { launch } from "../../support/browser/site.ts";
import { type ConsoleServer, type ConsoleServerOptions, openConsoleServer } from "./console-server.ts";

export async function openBrowser(): Promise<Browser> {
  const browser = await launch(inject("headlessShell"));
  afterAll(() => browser.close());
  return browser;
}

export async function openBrowserAndServer(
  options?: ConsoleServerOptions,
): Promise<{ readonly browser: Browser; readonly server: ConsoleServer }> {
  const browser = await openBrowser();
  const server = await openConsoleServer(options);
  afterAll(() => server.close());
  return { browser, server };
}
