/** What the browser tests of a file share: the browser of the worker, and a server that is closed after its last test. */
import type { Browser } from "playwright-core";
import { afterAll } from "vitest";
import { openBrowser } from "../../support/browser/open-browser.ts";
import { type ConsoleServer, type ConsoleServerOptions, openConsoleServer } from "./console-server.ts";

export async function openBrowserAndServer(
  options?: ConsoleServerOptions,
): Promise<{ readonly browser: Browser; readonly server: ConsoleServer }> {
  const browser = await openBrowser();
  const server = await openConsoleServer(options);
  afterAll(() => server.close());
  return { browser, server };
}
