/** A service whose runs wait for an answer, and the requests that answer them. */
import type { InputDefinition, JsonObject, Options, Step } from "../../../src/index.ts";
import { createTestClock } from "../../../src/testing/index.ts";
import { give, input } from "../engine/service.ts";
import { timedService } from "../engine/timed-service.ts";

export const BASE = "https://flows.test/x";
export const HTML = { accept: "text/html" };
export const ask = (fields: InputDefinition, more: Partial<Step> = {}): Step =>
  ({ ...input("ask", { input: fields }), ...more }) as Step;

export async function openForms(more: Options = {}) {
  const clock = createTestClock();
  const service = await timedService(clock, new Map(), { baseUrl: BASE, ...more });
  const { stepwell, app, deploy, until } = service;
  return {
    ...service,
    clock,
    /** Starts a run that waits at the step `ask`, and creates a link to it. */
    async asked(
      fields: InputDefinition = { ok: { type: "boolean" } },
      steps: Step[] = [give("done")],
      settings = {},
      input_default: JsonObject | null = null,
    ) {
      const workflow = await deploy([input("in"), ask(fields), ...steps], { input_default });
      const run = await stepwell.runs.create(app, workflow, { input: {} });
      await until(run.id, ({ status }) => status === "waiting");
      return { run, link: await stepwell.inputs.createLink(app, run.id, "ask", settings) };
    },
    async send(url: string, init: RequestInit = {}) {
      const response = await stepwell.fetch(new Request(url, init));
      return { status: response.status, headers: response.headers, text: await response.text() };
    },
  };
}

/** What a browser sends. */
export const form = (values: Record<string, string | Blob>) => {
  const body = new FormData();
  for (const [name, value] of Object.entries(values)) body.append(name, value);
  return { method: "POST", headers: HTML, body };
};
/** What a program sends. */
export const json = (values: JsonObject) => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(values),
});
