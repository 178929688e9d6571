/** Finds the browsers for the tests, or installs them. */
import type { TestProject } from "vitest/node";
import { installChromium, installHeadlessShell } from "./install.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The path of a full browser. */
    readonly chromium: string;
    /** The path of a headless shell, which needs less memory and time; the full browser if there is none. */
    readonly headlessShell: string;
  }
}

export default function setup(project: TestProject): void {
  const chromium = installChromium();
  project.provide("chromium", chromium);
  project.provide("headlessShell", installHeadlessShell() ?? chromium);
}
