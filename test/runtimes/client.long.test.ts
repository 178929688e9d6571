/** The built client on every runtime and in Chromium, where it loads without a bundler. */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { launch, openTab } from "../support/browser/site.ts";
import { type Mounted, openMounted } from "../support/client/mounted.ts";
import { root } from "./build.ts";
import { RUNTIMES } from "./host.ts";

const EXPECTED = {
  events: ["step.succeeded", "run.succeeded"],
  output: 42,
  sent: [262_144, 524_288, 600_000],
  file: ["größe.bin", 600_000],
  isRead: true,
  report: { problems: [], failed: 0, written: { created: 3, updated: 0, unchanged: 0 } },
  amounts: [2, 3],
  csv: 5,
  missing: [true, "not_found", 404],
  aborted: "enough",
};

let mounted: Mounted;
let server: { readonly url: string; readonly key: string; readonly workflow: string };
beforeAll(async () => {
  mounted = await openMounted();
  const { stepwell, app, url, key } = mounted;
  const { id } = await stepwell.workflows.create(app, {
    name: "Double",
    input: { n: { type: "number" } },
    steps: [{ type: "code", key: "double", code: "return input.n * 2" }],
  });
  await stepwell.workflows.deploy(app, id);
  server = { url, key, workflow: id };
});
afterAll(() => mounted.close());

it.each(Object.entries(RUNTIMES))("%s calls the functions of the client and exits", async (_, [program, ...given]) => {
  const built = pathToFileURL(join(root, "dist/client.js")).href;
  const args = [...given, "test/runtimes/client-run.js", built, JSON.stringify(server)];
  const { stdout } = await promisify(execFile)(program, args, { cwd: root });
  expect(JSON.parse(stdout)).toEqual(EXPECTED);
});

/** Serves a folder of the package to pages. */
function servePackage(): void {
  mounted.intercept((request, response) => {
    const [, path = ""] = /^\/package\/((?:dist|test\/runtimes)\/[\w-]+\.js)$/.exec(request.url ?? "") ?? [];
    if (path === "" && request.url !== "/page") return false;
    const type = path === "" ? "text/html" : "text/javascript";
    const body = path === "" ? Promise.resolve("<!doctype html><title>Client</title>") : readFile(join(root, path));
    void body.then((content) => response.writeHead(200, { "content-type": type }).end(content));
    return true;
  });
}

it("Chromium calls the functions of the client", async () => {
  servePackage();
  const browser: Browser = await launch(inject("headlessShell"));
  const { page, complaints } = await openTab(browser);
  const { origin } = new URL(server.url);
  await page.goto(`${origin}/page`);
  // A path is relative to the page. As text, because the transformation of this file would rewrite the imports.
  const given = JSON.stringify({ ...server, url: new URL(server.url).pathname });
  const found = await page.evaluate(`(async () => {
    const { callClient } = await import("/package/test/runtimes/client-calls.js");
    return callClient(await import("/package/dist/client.js"), ${given});
  })()`);
  expect(found).toEqual(EXPECTED);
  expect(complaints).toEqual([]);
  await browser.close();
});
