/** The browser of the tests that a worker runs. */
import type { Browser } from "playwright-core";
import { inject } from "vitest";
import { launch } from "./site.ts";

let shared: Promise<Browser> | undefined;

/** It ends with the process of the worker: starting one for each file takes longer than most tests. */
export function openBrowser(): Promise<Browser> {
  shared ??= launch(inject("headlessShell"));
  return shared;
}
