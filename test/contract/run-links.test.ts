/** Links by which a browser follows a run without a key. */
import { describe, expect, it } from "vitest";
import { createTestClock } from "../../src/testing/index.ts";
import { give, input } from "../support/engine/service.ts";
import { timedService } from "../support/engine/timed-service.ts";

const BASE = "https://flows.test";
const ANSWER = "the answer";

async function open() {
  const clock = createTestClock();
  const service = await timedService(clock, new Map(), { baseUrl: BASE });
  const { stepwell, app, start, until } = service;
  const steps = [input("in"), input("ask"), give("secret"), give("done", {}, { answer: ANSWER })];
  const run = await start(steps, { mine: 1 });
  await until(run.id, ({ status }) => status === "waiting");
  return {
    ...{ ...service, clock, run },
    async read(url: string, headers: Record<string, string> = {}) {
      const response = await stepwell.fetch(new Request(url, { headers }));
      return { status: response.status, text: await response.text() };
    },
    async end() {
      await stepwell.runs.provide(app, run.id, "ask", { also: "mine" });
      return service.wait(run.id);
    },
  };
}

describe("a link to a run", () => {
  it("shows statuses, and no input, output, error or log", async () => {
    const { stepwell, app, run, read, end } = await open();
    const { url } = await stepwell.runs.createLink(app, run.id);
    expect(JSON.parse((await read(url)).text)).toMatchObject({
      status: "waiting",
      finished_at: null,
      steps: [
        { key: "in", type: "input", status: "succeeded" },
        { key: "ask", type: "input", status: "waiting" },
        { key: "secret", type: "code", status: "pending" },
        { key: "done", type: "code", status: "pending" },
      ],
    });
    await end();
    const { text } = await read(url);
    expect(text).toContain('"status":"succeeded"');
    expect(text).not.toMatch(/mine|the answer|output/);
  });

  it("streams the events until the end, without their contents, and resumes", async () => {
    const { stepwell, app, run, read, end } = await open();
    const { url } = await stepwell.runs.createLink(app, run.id);
    const stream = { accept: "text/event-stream" };
    const following = read(url, stream);
    await end();
    const { text } = await following;
    expect(text).toContain("event: step.succeeded");
    expect(text).toContain("event: run.succeeded");
    expect(text).not.toMatch(/mine|the answer/);
    const last = [...text.matchAll(/^id: (\d+)$/gm)].at(-1)?.[1] ?? "";
    expect(await read(url, { ...stream, "last-event-id": last })).toEqual({ status: 204, text: "" });
  });

  it("streams nothing more once it is revoked", async () => {
    const { stepwell, app, run, read, end } = await open();
    const { id, url } = await stepwell.runs.createLink(app, run.id, { output: true });
    const following = read(url, { accept: "text/event-stream" });
    await stepwell.runs.removeLink(app, run.id, id);
    await end();
    expect((await following).text).not.toMatch(/run\.succeeded|the answer/);
  });

  it("shows the output of the run if it was created so", async () => {
    const { stepwell, app, run, read, end } = await open();
    const { url } = await stepwell.runs.createLink(app, run.id, { output: true });
    await end();
    expect(JSON.parse((await read(url)).text).output).toEqual({ answer: ANSWER });
    const { text } = await read(url, { accept: "text/event-stream" });
    expect(text).toMatch(/event: run.succeeded\ndata: .*the answer/);
    expect(text).not.toContain("mine");
  });

  it("expires, can be revoked, and ends with its run", async () => {
    const { stepwell, app, run, read, clock, end } = await open();
    const short = await stepwell.runs.createLink(app, run.id, { expires_in: 60 });
    const other = await stepwell.runs.createLink(app, run.id);
    const last = await stepwell.runs.createLink(app, run.id);
    await clock.advance("1m");
    expect((await read(short.url)).status).toBe(410);
    expect((await read(other.url)).status).toBe(200);
    await stepwell.runs.removeLink(app, run.id, other.id);
    expect((await read(other.url)).status).toBe(404);
    await end();
    await stepwell.runs.remove(app, run.id);
    expect((await read(last.url)).status).toBe(404);
  });
});
