/** Finds the browser of the tests, or installs it. */
import type { TestProject } from "vitest/node";
import { installChromium } from "./install.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The browser's program. */
    readonly chromium: string;
  }
}

export default function setup(project: TestProject): void {
  project.provide("chromium", installChromium());
}
