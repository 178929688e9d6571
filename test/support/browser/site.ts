/** A service behind a real HTTP server, and browsers that use it. */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { createRequire } from "node:module";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { toNodeHandler } from "../../../adapters/http/node.ts";
import { createStepwell, type Options, type UploadCreate } from "../../../src/index.ts";
import { freePort } from "../free-port.ts";

const QUIET = { debug() {}, info() {}, warn() {}, error() {} };

export async function openSite(options: Partial<Options> = {}) {
  let listener: RequestListener = () => undefined;
  const make = () => createServer((request, response) => listener(request, response));
  const port = await freePort();
  let server = make().listen(port, "127.0.0.1");
  await once(server, "listening");
  const baseUrl = `http://127.0.0.1:${port}/flows`;
  const stepwell = createStepwell({ baseUrl, logger: QUIET, ...options });
  listener = toNodeHandler(stepwell);
  const app = await stepwell.apps.create({ name: "Tests" });
  const address = async (input: UploadCreate = {}) => {
    const { upload_url: url, future_file_id: id } = await stepwell.files.createUpload(app.id, input);
    return { url, id, file: () => stepwell.files.get(app.id, id) };
  };
  return {
    stepwell,
    app,
    address,
    /** Simulates a dead process: connections are dropped and new ones refused. */
    async down(): Promise<void> {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
    async up(): Promise<void> {
      server = make().listen(port, "127.0.0.1");
      await once(server, "listening");
    },
    async close(): Promise<void> {
      server.close();
      server.closeAllConnections();
      await stepwell.close();
    },
  };
}

export type Site = Awaited<ReturnType<typeof openSite>>;

const ARGUMENTS = [
  // Chromium's sandbox does not run as root, the usual user in containers.
  "--no-sandbox",
  "--disable-dev-shm-usage",
  "--disable-gpu",
  // What a page of a test computes is over before its optimized code has paid for itself.
  "--js-flags=--no-turbofan --no-maglev",
];

export function launch(executablePath: string): Promise<Browser> {
  return chromium.launch({ executablePath, args: ARGUMENTS });
}

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** A tab in a new browser context, and all errors that it reported. */
export async function openTab(browser: Browser, options: BrowserContextOptions = {}) {
  // What moves has a frame drawn 60 times a second.
  const defaults = { viewport: { width: 900, height: 700 }, reducedMotion: "reduce" } as const;
  const context = await browser.newContext({ ...defaults, ...options });
  context.setDefaultTimeout(240_000); // less than a test has, so that an error says what it waited for
  const page = await context.newPage();
  // Network limits belong to one CDP session: another one does not change them.
  const session = await context.newCDPSession(page);
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => {
    // Tests cause network errors on purpose; every other error is a bug of the page.
    if (!message.text().startsWith("Failed to load resource")) complaints.push(message.text());
  });
  return {
    page,
    context,
    complaints,
    /** Accessibility rules (WCAG 2.2 AA and best practices) that the page violates in its current state. */
    async faults(): Promise<string[]> {
      if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(AXE);
      const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(" | ")}`);
    },
    /** Limits the upload rate in bytes per second; 0 is no limit. */
    async slow(bytes: number): Promise<void> {
      const uploadThroughput = bytes === 0 ? -1 : bytes;
      await session.send("Network.enable");
      await session.send("Network.emulateNetworkConditions", {
        offline: false,
        latency: 0,
        downloadThroughput: -1,
        uploadThroughput,
      });
    },
  };
}

declare global {
  interface Window {
    readonly axe: typeof import("axe-core");
  }
}

export type Tab = Awaited<ReturnType<typeof openTab>>;

/** Drops or pastes a file into the page. */
export function give(
  page: Page,
  event: "drop" | "paste" | "dragover",
  names: readonly string[],
  size: number,
  type = "",
): Promise<void> {
  return page.evaluate(
    ({ event, names, size, type }) => {
      const transfer = new DataTransfer();
      for (const name of names) transfer.items.add(new File([new Uint8Array(size)], name, { type }));
      const init = { bubbles: true, cancelable: true };
      const given =
        event === "paste"
          ? new ClipboardEvent(event, { ...init, clipboardData: transfer })
          : new DragEvent(event, { ...init, dataTransfer: transfer });
      document.body.dispatchEvent(given);
    },
    { event, names, size, type },
  );
}
