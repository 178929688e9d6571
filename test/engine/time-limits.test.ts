/** Timeouts of steps that call other systems, and the errors that they give. */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Step } from "../../src/index.ts";
import { quickClock } from "../support/engine/quick-clock.ts";
import { openService, type Service, step } from "../support/engine/service.ts";
import { openWeb, type Web } from "../support/servers/web.ts";

let web: Web;
let service: Service;
const aborted: string[] = [];

/** Fires the timeouts of steps once a request hangs. */
const clock = quickClock();
const over = () => [60_000, 120_000].map(clock.fire);

beforeAll(async () => {
  web = await openWeb({ "/never": over });
  service = await openService({
    clock,
    net: web.net,
    webSearch: {
      search: (_, signal) =>
        new Promise((_, reject) => {
          signal.addEventListener("abort", () => {
            aborted.push("search");
            reject(signal.reason);
          });
          queueMicrotask(over);
        }),
    },
  });
});
afterAll(async () => {
  await service.stepwell.close();
  await web.close();
});

const act = (name: string, action: string, given: object): Step => ({
  type: "service",
  key: "slow",
  service: { service: name, action, input: { ...given } },
});

it("a browser step times out after 120 seconds when a page never loads", async () => {
  const run = await service.run([{ type: "browser", key: "slow", url: `${web.url}/never` }]);
  expect(run.error).toEqual({ code: "timeout", message: "The step took longer than 120 seconds.", step: "slow" });
  expect([step(run, "slow").attempts, web.requestedPaths.length]).toEqual([3, 3]);
  await expect.poll(() => web.open()).toBe(0);
});

it("a web search times out after 60 seconds when its provider never responds", async () => {
  const run = await service.run([act("web_search", "search", { query: "x" })]);
  expect(run.error).toEqual({ code: "timeout", message: "The step took longer than 60 seconds.", step: "slow" });
  expect(aborted).toHaveLength(3);
});
