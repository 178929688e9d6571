/** kill -9 while a browser renders a page: the next process resumes the run, and the browser dies with its process. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import fs from "../../adapters/storage/fs.ts";
import type { Run, Step } from "../../src/index.ts";
import { alive, all } from "../support/browser/browser-processes.ts";
import { input, openService, step } from "../support/engine/service.ts";
import { openWeb, type Web } from "../support/servers/web.ts";

const TYPESCRIPT = join(import.meta.dirname, "../support/typescript/register.js");
let web: Web;
let base: string;
/** Whether the slow page responds completely. */
let isQuick = false;
const started: ChildProcess[] = [];
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
  for (const one of started) one.kill("SIGKILL");
  await web.close();
  await rm(base, { recursive: true, force: true });
});

const page = (key: string): Step => ({ type: "browser", key, url: `${web.url}/${key}` });

it("killing the process ends its browser, and the next one resumes without reading stored pages again", async () => {
  const first = await openService({ storage: { entities: fs({ base }) } });
  const { app } = first;
  const workflow = await first.deploy([input("in"), page("first"), page("slow")]);
  await first.stepwell.close();

  const startProcess = () => {
    const child = spawn(process.execPath, [
      ...["--import", TYPESCRIPT, join(import.meta.dirname, "browsing.ts")],
      ...[base, app, workflow, ...web.net.allow, inject("headlessShell")],
    ]);
    started.push(child);
    return child;
  };
  const killed = startProcess();
  await expect.poll(pages).toEqual(["/first", "/slow"]);
  const browsers = all(killed.pid);
  expect(browsers.length).toBeGreaterThan(0);
  killed.kill("SIGKILL");
  await once(killed, "exit");
  await expect.poll(() => alive(browsers)).toEqual([]);

  isQuick = true;
  const next = startProcess();
  const runs: readonly Run[] = JSON.parse(await text(next.stdout));
  expect(runs).toMatchObject([{ status: "succeeded" }]);
  const [run] = runs;
  if (run === undefined) throw new Error("the run is gone");
  expect(["first", "slow"].map((key) => step(run, key).output)).toMatchObject([{ title: "first" }, { title: "slow" }]);
  expect(pages()).toEqual(["/first", "/slow", "/slow"]);
});
