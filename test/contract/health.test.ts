/** What GET /health says of a service that runs, and of one that another process has replaced. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import memoryDriver from "../../adapters/storage/memory.ts";
import { openService, type Service } from "../engine/service.ts";

describe("GET /health", () => {
  const entities = { ...memoryDriver(), dispose: () => undefined };
  let first: Service;
  let second: Service;
  beforeAll(async () => {
    first = await openService({ storage: { entities } });
  });
  afterAll(async () => {
    await first.stepwell.close();
    await second.stepwell.close();
  });

  async function healthOf({ stepwell }: Service) {
    const response = await stepwell.fetch(new Request("http://localhost:3000/health"));
    return { status: response.status, body: await response.json() };
  }

  it("answers 200 while the service has its storage, and 503 once another process has taken it over", async () => {
    await first.stepwell.ready();
    expect(await healthOf(first)).toEqual({ status: 200, body: { status: "ready" } });

    second = await openService({ storage: { entities } }, first.app);
    await second.stepwell.ready();
    expect(await healthOf(second)).toEqual({ status: 200, body: { status: "ready" } });
    expect(await healthOf(first)).toEqual({
      status: 503,
      body: { status: "not_ready", not_ready: [{ part: "storage", reason: "storage unavailable", failures: 1 }] },
    });
  });
});
