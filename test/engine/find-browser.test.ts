/** Which browser renders web pages when the host sets none. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { findBrowser } from "../../adapters/browser/find-browser.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "stepwell-path-"));
  vi.stubEnv("PATH", folder);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

async function put(name: string, mode = 0o755): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, "", { mode });
  return path;
}

it.each(["chromium", "google-chrome", "chromium-headless-shell"])("findBrowser finds %s on the PATH", async (name) => {
  const path = await put(name);
  expect(await findBrowser(undefined)).toBe(path);
});

it("findBrowser prefers a full browser to its headless shell and ignores files that are not executable", async () => {
  await put("chromium", 0o644);
  await put("chromium-headless-shell");
  const path = await put("google-chrome");
  expect(await findBrowser(undefined)).toBe(path);
});

it("findBrowser rejects when the given path doesn't exist, without searching the PATH", async () => {
  await put("chromium");
  await expect(findBrowser(join(folder, "chrome"))).rejects.toMatchObject({ code: "not_installed" });
});
