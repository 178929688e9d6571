/** Finds an installed browser. */
import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { delimiter, join } from "node:path";
import process from "node:process";
import { BrowserError } from "../../src/ports/browser.ts";

/** In order of preference. A full browser renders pages as users see them. */
const NAMES = [
  ...["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "microsoft-edge"],
  "chromium-headless-shell",
];
/** Install locations that are not on the PATH. */
const INSTALL_LOCATIONS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  linux: ["/usr/bin", "/usr/local/bin", "/snap/bin", "/opt/google/chrome"].flatMap((folder) =>
    NAMES.map((name) => `${folder}/${name}`),
  ),
  darwin: [
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
  ],
  win32: [
    "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
    "C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe",
    "C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe",
  ],
};

/**
 * @param executablePath If set, only this path is checked.
 * @throws BrowserError `not_installed`
 */
export async function findBrowser(executablePath: string | undefined): Promise<string> {
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  const ending = process.platform === "win32" ? ".exe" : "";
  const onPath = NAMES.flatMap((name) => folders.map((folder) => join(folder, name + ending)));
  for (const place of executablePath === undefined
    ? [...onPath, ...(INSTALL_LOCATIONS[process.platform] ?? [])]
    : [executablePath]) {
    if (await isProgram(place)) return place;
  }
  const where = executablePath === undefined ? "on the PATH or in the usual locations" : `at ${executablePath}`;
  const remedy = "Install Chromium or Chrome, or set createPlaywrightBrowser({ executablePath }).";
  throw new BrowserError("not_installed", `No browser was found ${where}. ${remedy}`);
}

async function isProgram(place: string): Promise<boolean> {
  try {
    await access(place, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
