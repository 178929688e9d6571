/** What the browser tests of a file share: the browser of the worker, and a server that is closed after its last test. */
import type { Browser } from "playwright-core";
import { afterAll, inject } from "vitest";
import { launch } from "../../support/browser/site.ts";
import { type ConsoleServer, type ConsoleServerOptions, openConsoleServer } from "./console-server.ts";

let shared: Promise<Browser> | undefined;

/** It ends with the process of the worker: starting one for each file takes longer than most tests. */
export function openBrowser(): Promise<Browser> {
  shared ??= launch(inject("headlessShell"));
  return shared;
}

export async function openBrowserAndServer(
  options?: ConsoleServerOptions,
): Promise<{ readonly browser: Browser; readonly server: ConsoleServer }> {
  const browser = await openBrowser();
  const server = await openConsoleServer(options);
  afterAll(() => server.close());
  return { browser, server };
}
