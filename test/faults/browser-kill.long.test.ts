/** kill -9 while a browser renders a page: the next process resumes the run, and the browser dies with its process. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import fs from "../../adapters/storage/fs/fs.ts";
import type { Run, Step } from "../../src/index.ts";
import { alive, all } from "../support/browser/browser-processes.ts";
import { input, openService, step } from "../support/engine/service.ts";
import { openWeb, type Web } from "../support/servers/web.ts";
import { type Child, startChild } from "./child.ts";

let web: Web;
let base: string;
/** Whether the slow page responds completely. */
let isQuick = false;
const started: Child[] = [];
/** Without the icon that browsers request. */
const pages = () => web.requestedPaths.filter((path) => path !== "/favicon.ico");

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), "stepwell-browsing-"));
  web = await openWeb({
    "/first": "<title></title><script>document.title = 'first'</script>",
    "/slow": (_, response) => {
      response.setHeader("content-type", "text/html");
      if (isQuick) response.end("<title></title><script>document.title = 'slow'</script>");
      else response.write("<p>Half");
    },
  });
});
afterAll(async () => {
  await Promise.all(started.map((one) => one.kill()));
  await web.close();
  await rm(base, { recursive: true, force: true });
});

const page = (key: string): Step => ({ type: "browser", key, url: `${web.url}/${key}` });

it("killing the process ends its browser, and the next one resumes without reading stored pages again", async () => {
  const first = await openService({ storage: { entities: fs({ base }) } });
  const { app } = first;
  const workflow = await first.deploy([input("in"), page("first"), page("slow")]);
  await first.stepwell.close();

  const startProcess = async () => {
    const args = [base, app, workflow, ...web.net.allow, inject("headlessShell")];
    const child = await startChild(join(import.meta.dirname, "browsing.ts"), args);
    started.push(child);
    return child;
  };
  const killed = await startProcess();
  await expect.poll(pages).toEqual(["/first", "/slow"]);
  const browsers = all(killed.pid);
  expect(browsers.length).toBeGreaterThan(0);
  await killed.kill();
  await expect.poll(() => alive(browsers)).toEqual([]);

  isQuick = true;
  const next = await startProcess();
  await next.gone;
  const runs: readonly Run[] = JSON.parse(next.lines.join("\n"));
  expect(runs).toMatchObject([{ status: "succeeded" }]);
  const [run] = runs;
  if (run === undefined) throw new Error("the run is gone");
  expect(["first", "slow"].map((key) => step(run, key).output)).toMatchObject([{ title: "first" }, { title: "slow" }]);
  expect(pages()).toEqual(["/first", "/slow", "/slow"]);
});
