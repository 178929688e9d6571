/** Long JSON in responses is never written or parsed at once: that would hold the event loop. */
import { afterAll, afterEach, expect, it, vi } from "vitest";
import { PART_BYTES } from "../../src/encoding/json/parse-long-json.ts";
import type { Step } from "../../src/index.ts";
import { openService } from "../support/engine/service.ts";
import { longestJson } from "../support/longest-json.ts";
import { openWeb } from "../support/servers/web.ts";

const body = { rows: Array.from({ length: 20_000 }, (_, id) => ({ id, name: `Ada ${id}`, tags: ["é", null] })) };
const text = JSON.stringify(body, null, 1);
/** With the output around it, nested one level too deep. */
const deep = `${"[".repeat(101)}${JSON.stringify("x".repeat(300_000))}${"]".repeat(101)}`;
const web = await openWeb({
  "/json": (_, response) => response.setHeader("content-type", "application/json").end(text),
  "/deep": (_, response) => response.setHeader("content-type", "application/json").end(deep),
  "/torn": (_, response) => response.setHeader("content-type", "application/json").end(text.slice(0, -2)),
});
const service = await openService({ net: web.net });
afterEach(() => vi.restoreAllMocks());
afterAll(async () => {
  await service.stepwell.close();
  await web.close();
});

const get = (path: string): Step => ({ type: "http_request", key: "get", url: `${web.url}${path}` });
const withService = (path: string): Step => ({
  type: "service",
  key: "get",
  service: { service: "http", action: "request", input: { url: `${web.url}${path}` } },
});

it("a response of JSON is parsed and stored in parts", async () => {
  const longest = longestJson();
  const run = await service.run([get("/json")]);
  expect(longest()).toBeLessThan(8 * PART_BYTES);
  expect(run.output).toMatchObject({ status: 200, body, file: null, mime_type: "application/json" });
  expect(await service.stepwell.runs.get(service.app, run.id)).toEqual(run);
});

it("the service http has the same output", async () => {
  const [{ output }, other] = await Promise.all([service.run([get("/json")]), service.run([withService("/json")])]);
  expect(other.output).toMatchObject({ body: (output as { body: unknown }).body });
});

it("a long text that is not JSON, though its media type is, stays a text", async () => {
  const { output } = await service.run([get("/torn")]);
  expect(output).toMatchObject({ body: text.slice(0, -2) });
});

it("JSON that is too deep within the output stays a text", async () => {
  const run = await service.run([get("/deep")]);
  expect(run).toMatchObject({ status: "succeeded", output: { body: deep } });
});

it("what a caller does with the output changes nothing of what is stored", async () => {
  const run = await service.run([get("/json")]);
  const change = () => {
    (run.output as { body: typeof body }).body.rows[0] = { id: -1, name: "", tags: [] };
  };
  try {
    change();
  } catch {
    // it is frozen
  }
  expect((await service.stepwell.runs.get(service.app, run.id)).output).toMatchObject({ body });
});
