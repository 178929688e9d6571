/** Steps of a run over HTTP only: the download of an output, scopes, and deleted apps and versions. */
import { describe, expect, it } from "vitest";
import type { Run } from "../../src/index.ts";
import { BASE, createTestHost } from "../support/http/transports.ts";
import { ASK, createRunFixture, give, IN, options } from "../support/workflows/runs.ts";

describe("the output of a step", () => {
  async function open() {
    const room = await createRunFixture(createTestHost(true, options));
    const { appId, deploy, stepwell, wait } = room;
    const get = (path: string, headers: Record<string, string> = {}, key = room.key, app = appId) =>
      stepwell.fetch(
        new Request(`${BASE}/apps/${app}${path}`, { headers: { authorization: `Bearer ${key}`, ...headers } }),
      );
    const workflow = await deploy([IN, give("ä/ö"), ASK]);
    const { id } = await stepwell.runs.create(appId, workflow, { input: { n: 1 } });
    await expect.poll(async () => (await stepwell.runs.get(appId, id)).status).toBe("waiting");
    return { ...room, get, id, wait, step: `/runs/${id}/steps/${encodeURIComponent("ä/ö")}` };
  }

  it("is downloaded as JSON, whole or in ranges", async () => {
    const { get, step, id } = await open();
    const whole = await get(`${step}/output`);
    expect([whole.status, whole.headers.get("content-type"), whole.headers.get("cache-control")]).toEqual([
      200,
      "application/json",
      "no-store",
    ]);
    expect(whole.headers.get("content-disposition")).toBe(
      `attachment; filename="_/_.json"; filename*=UTF-8''%C3%A4%2F%C3%B6.json`,
    );
    const bytes = new Uint8Array(await whole.arrayBuffer());
    expect(JSON.parse(new TextDecoder().decode(bytes))).toBe("ä/ö");
    const part = await get(`${step}/output`, { range: "bytes=1-2" });
    expect([part.status, part.headers.get("content-range")]).toEqual([206, `bytes 1-2/${bytes.length}`]);
    expect(new Uint8Array(await part.arrayBuffer())).toEqual(bytes.slice(1, 3));
    const beyond = await get(`${step}/output`, { range: "bytes=100-" });
    expect([beyond.status, beyond.headers.get("content-range")]).toEqual([416, `bytes */${bytes.length}`]);
    const resumed = await get(`${step}/output`, { range: "bytes=1-2", "if-range": '"1"' });
    expect([resumed.status, new Uint8Array(await resumed.arrayBuffer())]).toEqual([200, bytes]);
    expect(await (await get(`/runs/${id}/steps/ask/output`)).json()).toBeNull();
    expect((await get(`/runs/${id}/steps/nobody/output`)).status).toBe(404);
    expect((await get(`${step}/output?item=0`)).status).toBe(404);
    expect((await get(`${step}/output?item=x`)).status).toBe(422);
    expect((await get(`${step}/output?item=0&item=0`)).status).toBe(422);
  });

  it("and its step need the scope runs:read, and an app that exists", async () => {
    const { get, step, id, stepwell, appId } = await open();
    const { key } = await stepwell.keys.create(appId, { name: "Writer", scopes: ["runs:write"] });
    const paths = [step, `${step}/output`, `${step}/items`, `/runs/${id}?preview=1`];
    for (const path of paths) expect((await get(path, {}, key)).status, path).toBe(403);
    const other = await stepwell.apps.create({ name: "Other" });
    const { key: foreign } = await stepwell.keys.create(other.id, { name: "All", scopes: ["runs:read"] });
    for (const path of paths) expect((await get(path, {}, foreign, other.id)).status, path).toBe(404);
    for (const path of paths) expect((await get(path)).status, path).toBe(200);
    await stepwell.runs.cancel(appId, id);
    await stepwell.apps.remove(appId);
    for (const path of paths) expect([401, 404], path).toContain((await get(path)).status);
  });

  it("is left out of a run that was waited for", async () => {
    const { get, id, stepwell, appId, wait } = await open();
    await stepwell.runs.provide(appId, id, "ask", { ok: true });
    await wait(id);
    const run = (await (await get(`/runs/${id}?preview=3`, { prefer: "wait=9999" })).json()) as Run;
    expect(run.steps.map(({ output, output_bytes }) => [output, output_bytes === undefined])).toEqual([
      [null, false],
      [null, false],
      [null, false],
    ]);
    expect((await get(`/runs/${id}?preview=x`)).status).toBe(422);
    expect((await get(`/runs/${id}?previews=1`)).status).toBe(422);
  });
});
