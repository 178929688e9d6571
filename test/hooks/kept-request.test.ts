/** What a run keeps of the request to an incoming webhook. */
import { expect, it } from "vitest";
import { keptRequest } from "../../src/hooks/kept-request.ts";
import { createStepwell, type Step } from "../../src/index.ts";
import { silent } from "../support/engine/service.ts";

it("keeps method, path, query and headers, without credentials and signatures, in the run and for its expressions", async () => {
  const stepwell = createStepwell({ logger: silent });
  const { id: app } = await stepwell.apps.create({ name: "A" });
  const steps: Step[] = [
    { type: "input", key: "in", input: {}, webhook: { method: "POST", path: "orders/new" } },
    {
      type: "branch",
      key: "b",
      conditions: {
        yes: {
          condition:
            'run.trigger.request.headers["x-shop"] == "7" && run.trigger.request.query.page == "2" && run.trigger.request.path == "orders/new"',
          destinations: [],
          order: 0,
        },
      },
    },
  ];
  const { id: workflow } = await stepwell.workflows.create(app, { name: "W", steps });
  await stepwell.workflows.deploy(app, workflow);
  const answer = await stepwell.fetch(
    new Request(`http://host/public/apps/hooks/${app}/orders/new?page=2&tag=a&tag=b`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "x-shop": "7",
        ...{ authorization: "Bearer top", cookie: "a=top", "proxy-authorization": "Basic top" },
        ...{ "x-api-key": "top", apikey: "top", "x-auth-token": "top", "x-hub-signature-256": "top" },
      },
      body: "{}",
    }),
  );
  expect(answer.status).toBe(202);
  const {
    items: [listed],
  } = await stepwell.runs.list(app, { trigger: "webhook" });
  const run = await stepwell.runs.wait(app, listed?.id ?? "");
  expect(run.output).toEqual({ taken: "yes" });
  expect(listed?.trigger).toEqual({ type: "webhook", id: run.trigger.id });
  const { request } = run.trigger;
  expect(request).toMatchObject({ method: "POST", path: "orders/new", query: { page: "2", tag: ["a", "b"] } });
  expect(request?.headers).toMatchObject({ "x-shop": "7", "content-type": "application/json" });
  expect(JSON.stringify(run)).not.toContain("top");
  await stepwell.close();
});

it("keeps at most 16 KiB of headers and query", () => {
  const headers = new Headers();
  for (let number = 0; number < 10_000; number++) headers.append(`x-${number}`, "value of a header");
  const query = Object.fromEntries(Array.from({ length: 1_000 }, (_, number) => [`q${number}`, "x".repeat(100)]));
  const kept = keptRequest({ method: "GET", path: "a", headers, query, params: {} }, []);
  expect(JSON.stringify(kept).length).toBeLessThan(32 * 1024);
  expect(Object.keys(kept.headers).length).toBeGreaterThan(100);
});

it("leaves out the header of the hook's signature, whatever its name", () => {
  const headers = new Headers({ "x-proof": "abc", "x-shop": "7" });
  const kept = keptRequest({ method: "GET", path: "a", headers, query: {}, params: {} }, ["x-proof"]);
  expect(kept.headers).toEqual({ "x-shop": "7" });
});
