/** Pages in Chromium on every runtime, with the built package; the process exits by itself. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, inject, it } from "vitest";
import { root } from "./build.ts";
import { RUNTIMES } from "./host.ts";

const script = fileURLToPath(new URL("browser-run.js", import.meta.url));
const READ = 'after <div id="a"><p class="done">shadow <div data-frame="about:srcdoc"><p>frame';
const built = `${root}dist/playwright.js`;

it.each(Object.entries(RUNTIMES))(
  "%s reads a page with stepwell/playwright and exits",
  async (_, [program, ...given]) => {
    const args = [...given, script, built, inject("headlessShell")];
    const { stdout } = await promisify(execFile)(program, args, { cwd: root });
    expect(JSON.parse(stdout)).toEqual({
      rendered: READ,
      missing: "invalid",
      large: "too_large",
      refused: "fetch_failed",
      canceled: "TimeoutError",
      again: READ,
    });
  },
);
