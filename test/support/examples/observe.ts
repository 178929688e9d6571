/** Everything that a definition can change: whether it is accepted, its diagram, its forms, its runs and what they send. */
import * as v from "valibot";
import { createStepwell, defineService, isStepwellError, type JsonObject, type Stepwell } from "../../../src/index.ts";
import type { JsonValue } from "../../../src/json.ts";
import type { Browser } from "../../../src/ports/browser.ts";
import { stubHttp } from "../../../src/testing/http.ts";
import { createTestClock, type ScriptedAnswer, scriptedModel, type TestClock } from "../../../src/testing/index.ts";
import type { DraftPut } from "../../../src/workflows/version.ts";
import { extractor, scripted as scriptedCode, silent } from "../engine/service.ts";
import { until } from "../until.ts";

const BASE = "https://host.example";
const PAGE = "<html><head><title>Page</title></head><body><p id=ready>Text</p></body></html>";

/** What happens to a definition. */
export interface Scenario {
  /** Inputs of the runs, each started by the API. @default one empty input */
  readonly inputs?: readonly JsonObject[];
  /** The input step at which they start. */
  readonly step_key?: string;
  /** A request to the webhook of the definition, in place of the API. */
  readonly hook?: { readonly method: string; readonly path: string; readonly body?: JsonValue };
  /** Files that are sent to the webhook as a form. */
  readonly upload?: string;
  /** An event of the app, in place of the API. */
  readonly event?: JsonObject;
  /** What the models say. */
  readonly model?: readonly ScriptedAnswer[];
  /** How long the clock runs, again and again, before the runs are looked at. */
  readonly times?: readonly string[];
  /** Runs the draft instead of a deployed version. */
  readonly draft?: true;
}

const chat = defineService({
  name: "chat",
  connection: v.object({ token: v.string() }),
  actions: {
    post: {
      input: v.object({ text: v.string() }),
      output: v.object({ posted: v.string() }),
      run: ({ text }, { connection }) => ({ posted: `${connection.token}: ${text}` }),
    },
  },
});
const bank = defineService({
  name: "bank",
  actions: {
    charge: {
      title: "Charge a card",
      input: v.object({ amount: v.number(), note: v.optional(v.string()) }),
      output: v.object({ charged: v.number() }),
      async run({ amount }, { log }) {
        log(`begins ${amount}`);
        await new Promise((later) => setImmediate(later));
        log(`ends ${amount}`);
        return { charged: amount };
      },
    },
    refund: { input: v.object({}), output: v.object({ refunded: v.boolean() }), run: () => ({ refunded: true }) },
  },
});

/** A browser whose page shows which selector it was asked to wait for. */
const browser: Browser = {
  visit: async ({ url, waitForSelector = "nothing" }) => ({
    status: 200,
    url,
    title: `Waited for ${waitForSelector}`,
    contentType: "text/html",
    content: PAGE,
    retryAfter: null,
  }),
  close: async () => undefined,
};

/** Code of these tests: `see NAME` returns a variable, `now` the time, and `fail CODE-LIKE TEXT` fails. */
const sandbox = (clock: TestClock) =>
  scriptedCode({
    see: ({ globals }, name) => JSON.parse(JSON.stringify(globals[name] ?? null)) as unknown,
    now: () => clock.now(),
    wait: ({ signal }) => new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason))),
  });

/** Without what is random: ids, secrets, boundaries, and points in time, which depend on the jitter of retries. */
const normal = (text: string) =>
  text
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME")
    .replace(/boundary=[\w-]+/g, "boundary=")
    .replace(/<style.*?<\/style>/g, "")
    .replace(/\b(run|work|workv|afile|app|con|evt|hook|link|col|sched|req|event)_[0-9a-z]{20,}/g, "$1_ID")
    .replace(/(\/~once\W+value\W+)\w+/g, "$1KEY")
    .replace(/(inputs|runs|hooks)\/[\w-]{20,}/g, "$1/TOKEN");

/** @returns A text that is the same for two definitions only if nothing shows a difference between them. */
export async function observe(definition: DraftPut, scenario: Scenario = {}): Promise<string> {
  const clock = createTestClock();
  const scripted = scriptedModel(scenario.model ?? []);
  const modelNames: string[] = [];
  const model = (provider: string) => (name: string) => {
    modelNames.push(`${provider} ${name}`);
    return scripted(name);
  };
  const http = stubHttp({
    "GET https://api.example/": { json: { ok: true } },
    "POST https://api.example/": { json: { made: true } },
    "PUT https://api.example/": { json: { put: true } },
    "PATCH https://api.example/": { json: { patched: true } },
    "DELETE https://api.example/": { json: { deleted: true } },
    "GET https://api.example/broken": { status: 500, text: "broken" },
  });
  const stepwell = createStepwell({
    ...{ clock, browser, extractor, logger: silent, fetch: http.fetch, sandbox: sandbox(clock), baseUrl: BASE },
    ...{
      services: [chat, bank],
      models: { fake: model("fake"), other: model("other") },
      secret: "a secret of these tests, long enough",
    },
  });
  try {
    const app = (await stepwell.apps.create({ name: "Observed" })).id;
    const ids = await makeNeeds(stepwell, app, JSON.stringify([definition, scenario.inputs]));
    const given = fill(definition, ids);
    const inputs = fill(scenario.inputs ?? [{}], ids);
    const seen: unknown[] = [await deployed(stepwell, app, given, scenario)];
    const [latest] = (await stepwell.workflows.list(app, { search: "Observed" })).items;
    if (latest !== undefined) seen.push(await picture(stepwell, app, latest.id), await forms(stepwell, app, given));
    if (latest !== undefined) seen.push(await started(stepwell, app, latest.id, { ...scenario, inputs }));
    await settled(stepwell, app, clock);
    for (const time of scenario.times ?? []) {
      await clock.advance(time);
      await settled(stepwell, app, clock);
    }
    seen.push(await runsOf(stepwell, app));
    return normal(
      JSON.stringify([seen, http.requests.map(({ bytes: _, ...one }) => one), modelNames, scripted.requests], null, 1),
    );
  } finally {
    await stepwell.close();
  }
}

/** Puts ids in place of names that start with `@`. */
function fill<Value>(value: Value, ids: ReadonlyMap<string, string>): Value {
  return JSON.parse(JSON.stringify(value).replace(/@\w+/g, (name) => ids.get(name) ?? name));
}

/** Creates what `@child`, `@asks`, `@connection`, `@other` and `@file` stand for. */
async function makeNeeds(stepwell: Stepwell, app: string, text: string): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>();
  if (text.includes("@child")) {
    const steps = [
      { type: "input", key: "in", input: {}, destinations: ["seen"] },
      { type: "input", key: "second", input: {}, destinations: ["also"] },
      { type: "code", key: "seen", code: "see input" },
      { type: "code", key: "also", code: 'give "by the second"' },
    ] as const;
    const child = await stepwell.workflows.create(app, { name: "Child", steps: JSON.parse(JSON.stringify(steps)) });
    await stepwell.workflows.deploy(app, child.id);
    await stepwell.workflows.putDraft(app, child.id, { steps: [{ type: "code", key: "draft", code: 'give "draft"' }] });
    ids.set("@child", child.id);
  }
  if (text.includes("@asks")) {
    const steps = ["in", "ask"].map((key) => ({ type: "input" as const, key, input: {} }));
    const asks = await stepwell.workflows.create(app, { name: "Asks", steps });
    await stepwell.workflows.deploy(app, asks.id);
    ids.set("@asks", asks.id);
  }
  if (/@connection|@other/.test(text)) {
    for (const name of ["@connection", "@other"]) {
      const made = { name, service: "chat", credentials: { token: `token of ${name}` } };
      ids.set(name, (await stepwell.connections.create(app, made)).id);
    }
  }
  if (text.includes("@file")) {
    const body = new TextEncoder().encode("a,b\n1,2\n");
    ids.set("@file", (await stepwell.files.create(app, { name: "a.csv", body, key: "file" })).id);
  }
  return ids;
}

/** A definition that calls `@self` is deployed twice, first without its calls: the second version calls the first. */
async function deployed(stepwell: Stepwell, app: string, definition: DraftPut, { draft }: Scenario) {
  const steps = definition.steps?.filter(({ type }) => type !== "workflow") ?? [];
  const callsItself = JSON.stringify(definition).includes("@self");
  try {
    const first = callsItself ? { ...definition, steps } : definition;
    const { id } = await stepwell.workflows.create(app, { name: "Observed", ...first });
    if (draft === true) return "draft";
    await stepwell.workflows.deploy(app, id);
    if (!callsItself) return "accepted";
    await stepwell.workflows.putDraft(app, id, fill(definition, new Map([["@self", id]])));
    await stepwell.workflows.deploy(app, id);
    return "accepted";
  } catch (error) {
    if (!isStepwellError(error, "invalid")) throw error;
    return error.errors;
  }
}

async function picture(stepwell: Stepwell, app: string, workflow: string): Promise<unknown> {
  return stepwell.workflows.diagram(app, workflow, "latest").catch(() => null);
}

async function forms(stepwell: Stepwell, app: string, { steps = [] }: DraftPut): Promise<unknown> {
  const paths = steps.flatMap((step) => (step.type === "input" ? [step.webhook?.path ?? "none"] : []));
  return Promise.all(
    paths.map(async (path) => {
      const url = `${BASE}/public/apps/hooks/${app}/${path}`;
      const page = await stepwell.fetch(new Request(url, { headers: { accept: "text/html" } }));
      return [page.status, await page.text()];
    }),
  );
}

async function started(stepwell: Stepwell, app: string, workflow: string, scenario: Scenario): Promise<unknown> {
  const { inputs = [{}], step_key, hook, upload, event, draft } = scenario;
  try {
    if (event !== undefined) return void (await stepwell.events.emit(app, { name: "order.paid", payload: event }));
    if (hook !== undefined || upload !== undefined) return await request(stepwell, app, scenario);
    const more = {
      ...(step_key === undefined ? {} : { step_key }),
      ...(draft === undefined ? {} : { version: "draft" }),
    };
    const ids: string[] = [];
    for (const input of inputs) ids.push((await stepwell.runs.create(app, workflow, { input, ...more })).id);
    return ids.map((id) => ids.indexOf(id));
  } catch (error) {
    if (!isStepwellError(error)) throw error;
    return [error.code, error.errors];
  }
}

async function request(stepwell: Stepwell, app: string, { hook, upload }: Scenario): Promise<unknown> {
  const url = `${BASE}/public/apps/hooks/${app}/${hook?.path ?? "files"}`;
  const form = new FormData();
  if (upload !== undefined) form.set("file", new File(["a,b\n1,2\n"], upload, { type: "text/csv" }));
  const json = { body: JSON.stringify(hook?.body ?? {}), headers: { "content-type": "application/json" } };
  const sent = upload === undefined ? (hook?.method === "GET" ? {} : json) : { body: form };
  const response = await stepwell.fetch(new Request(url, { method: hook?.method ?? "POST", ...sent }));
  return [response.status, await response.text()];
}

/** Waits until no run works. A retry after less than a second waits in memory, so the clock goes on now and then. */
async function settled(stepwell: Stepwell, app: string, clock: TestClock): Promise<void> {
  let looks = 0;
  await until(async () => {
    looks++;
    await clock.advance(looks % 100 === 0 ? "600ms" : "0ms");
    const { items } = await stepwell.runs.list(app);
    const waitsForChild = (id: string) => items.some((one) => one.parent_run_id === id && one.status === "waiting");
    return items.every(({ id, status }) => status !== "running" || waitsForChild(id));
  });
}

/** The runs with their results, the waiting inputs and the files. */
async function runsOf(stepwell: Stepwell, app: string): Promise<unknown> {
  const { items } = await stepwell.runs.list(app);
  const runs = await Promise.all(items.map(({ id }) => stepwell.runs.get(app, id)));
  // Runs of the same millisecond have no order.
  const sorted = runs.map((run) => normal(JSON.stringify(run))).sort();
  const files = await stepwell.files.list(app);
  return [sorted, await stepwell.inputs.list(app), files.items.map(({ name, visibility }) => [name, visibility])];
}
