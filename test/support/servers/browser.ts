/** Finds the browsers of the tests, or installs them. */
import type { TestProject } from "vitest/node";
import { installChromium, installHeadlessShell } from "./install.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The program of a whole browser. */
    readonly chromium: string;
    /** The program of one without a window, which renders pages for less. Chromium itself where there is none. */
    readonly headlessShell: string;
  }
}

export default function setup(project: TestProject): void {
  const chromium = installChromium();
  project.provide("chromium", chromium);
  project.provide("headlessShell", installHeadlessShell() ?? chromium);
}
