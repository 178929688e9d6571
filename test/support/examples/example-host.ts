/** A host for the examples: a service with everything they need, and loopback servers in place of other systems. */
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import * as v from "valibot";
import { createExtractor } from "../../../adapters/extract/extractor.ts";
import { searxng } from "../../../adapters/search/index.ts";
import { createStepwell, defineService, type Run } from "../../../src/index.ts";
import type { AnyService } from "../../../src/services/service.ts";
import { shareBrowser } from "../browser/shared-browser.ts";
import { silent } from "../engine/service.ts";
import { openServer, type Received, type Reply } from "../servers/http-server.ts";
import { openModelServer, type ScriptedReply } from "../servers/model-server.ts";
import { until } from "../until.ts";
import { type Answer, type Example, type ExampleRun, FOLDER, type Needs, readExample, textOf } from "./example.ts";

/** A service of the host with a connection. */
const teamChat = defineService({
  name: "team_chat",
  title: "Team chat",
  connection: v.object({ url: v.pipe(v.string(), v.url()), token: v.string() }),
  actions: {
    post: {
      title: "Post a message",
      input: v.object({ channel: v.string(), text: v.string() }),
      output: v.object({ posted: v.boolean() }),
      async run(message, { connection: { url, token }, fetch, signal, idempotencyKey }) {
        const headers = { authorization: `Bearer ${token}`, "idempotency-key": idempotencyKey };
        const { ok } = await fetch(url, { method: "POST", headers, body: JSON.stringify(message), signal });
        return { posted: ok };
      },
    },
  },
});

/** Functions without their types: which one an example calls is only known when it is read. */
const SERVICES: readonly AnyService[] = [teamChat];

const REFERENCE = /@(?:workflows|collections|connections|files)\.\w+/g;

export async function openHost() {
  const outside = await openOutside();
  const { local } = outside;
  const stepwell = createStepwell({
    logger: silent,
    secret: "a secret of the examples, which is long enough",
    net: outside.net,
    services: SERVICES,
    models: outside.models,
    webSearch: searxng({ url: local("https://search.example") }),
    browser: shareBrowser(),
    extractor: createExtractor({ timeoutMs: 600_000 }),
  });

  /** Creates what an example needs; returns the example with ids in place of references. */
  async function makeNeeds(app: string, name: string): Promise<Example> {
    const ids = new Map<string, string>();
    const filled = () =>
      readExample(
        name,
        local(textOf(name)).replace(REFERENCE, (reference) => ids.get(reference) ?? reference),
      );
    const make = async <T>(kind: string, all: Record<string, T> = {}, create: (one: T) => Promise<{ id: string }>) => {
      for (const [key, one] of Object.entries(all)) ids.set(`@${kind}.${key}`, (await create(one)).id);
    };
    const { files, connections, workflows } = filled().needs;
    await make("files", files, (path) => {
      const body = new Uint8Array(readFileSync(FOLDER + path));
      return stepwell.files.create(app, { name: basename(path), body });
    });
    await make("connections", connections, (one) => stepwell.connections.create(app, { name: "An account", ...one }));
    await make("workflows", workflows, (one) => stepwell.workflows.create(app, { name: one.name }));
    await make("collections", filled().needs.collections, ({ records: _, ...one }) =>
      stepwell.collections.create(app, one),
    );
    const example = filled();
    for (const [key, { definition }] of Object.entries(example.needs.workflows ?? {})) {
      const id = ids.get(`@workflows.${key}`) ?? "";
      await stepwell.workflows.putDraft(app, id, definition);
      await stepwell.workflows.deploy(app, id);
    }
    for (const [key, { records }] of Object.entries(example.needs.collections ?? {})) {
      const id = ids.get(`@collections.${key}`) ?? "";
      for (const data of records) await stepwell.records.create(app, id, { data });
    }
    return example;
  }

  async function start(app: string, workflow: string, example: ExampleRun): Promise<Started> {
    const { webhook, event, step_key, input } = example;
    if (webhook !== undefined) return startByWebhook(app, webhook, example);
    if (event !== undefined) return { id: await startByEvent(app, workflow, event, input) };
    const run = await stepwell.runs.create(app, workflow, { input, ...(step_key === undefined ? {} : { step_key }) });
    return { id: run.id };
  }

  async function startByEvent(app: string, workflow: string, name: string, payload: ExampleRun["input"]) {
    const { id } = await stepwell.events.emit(app, { name, payload });
    return eventually(async () => {
      const { items } = await stepwell.runs.list(app, { workflow_id: workflow });
      return items.find(({ trigger }) => trigger.id === id)?.id;
    });
  }

  async function startByWebhook(app: string, webhook: string, { input, expected }: ExampleRun): Promise<Started> {
    const [method = "", path = ""] = webhook.split(" ");
    const address = new URL(`http://localhost:3000/public/apps/hooks/${app}/${path}`);
    const isQuery = method === "GET" || method === "DELETE";
    if (isQuery) for (const [name, value] of Object.entries(input)) address.searchParams.set(name, String(value));
    const body = isQuery ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(input) };
    const answer = await stepwell.fetch(new Request(address, { method, ...body }));
    const text = await answer.text();
    if (answer.status === 202) return { id: v.parse(v.object({ id: v.string() }), JSON.parse(text)).id };
    // A webhook with a response of its own does not name its run.
    if (!answer.ok && expected.response === undefined) throw new Error(`${webhook}: ${answer.status} ${text}`);
    const [newest] = (await stepwell.runs.list(app, { take: 1 })).items;
    if (newest === undefined) throw new Error(`${webhook} started no run`);
    return { id: newest.id, response: { status: answer.status, body: parsed(text) } };
  }

  /** Waits until a run of the app waits at a step, other than those runs that got their event. */
  async function untilWaiting(app: string, step: string, answered: Set<string>): Promise<void> {
    const found = await eventually(async () => {
      const { items } = await stepwell.runs.list(app);
      const runs = await Promise.all(items.map(({ id }) => stepwell.runs.get(app, id)));
      const isWaiting = (run: Run) => run.steps.some(({ key, status }) => key === step && status === "waiting");
      return runs.find((run) => isWaiting(run) && !answered.has(`${run.id} ${step}`));
    });
    answered.add(`${found.id} ${step}`);
  }

  return {
    stepwell,
    outside,

    /** Deploys an example in an app of its own. */
    async deploy(name: string): Promise<{ example: Example; app: string; workflow: string }> {
      const app = (await stepwell.apps.create({ name })).id;
      const example = await makeNeeds(app, name);
      const workflow = (await stepwell.workflows.create(app, { name, ...example.definition })).id;
      await stepwell.workflows.deploy(app, workflow);
      outside.reset(example.needs);
      return { example, app, workflow };
    },

    /** Runs it to its end, and provides the input and emits the events that it waits for. */
    async run(app: string, workflow: string, example: ExampleRun): Promise<Ended> {
      const { id, response } = await start(app, workflow, example);
      const answered = new Set<string>();
      let after = 0;
      for (const given of example.answers) {
        if ("event" in given) {
          await untilWaiting(app, given.step, answered);
          await stepwell.events.emit(app, given.event);
          continue;
        }
        for await (const event of stepwell.runs.events(app, id, { after })) {
          after = event.id ?? after;
          if (event.type === "step.waiting" && event.step === given.step) break;
        }
        await stepwell.runs.provide(app, id, given.step, given.values);
      }
      return { run: await stepwell.runs.wait(app, id), response };
    },

    async close(): Promise<void> {
      await stepwell.close();
      await outside.close();
    },
  };
}

/** A run, and the response to the request that started it. */
interface Started {
  readonly id: string;
  readonly response?: Response;
}
interface Response {
  readonly status: number;
  readonly body: unknown;
}
export interface Ended {
  readonly run: Run;
  readonly response: Response | undefined;
}

/** Asks again and again. */
async function eventually<T>(ask: () => Promise<T | undefined>): Promise<T> {
  let found: T | undefined;
  await until(async () => {
    found = await ask();
    return found !== undefined;
  });
  return found as T; // not undefined after `until`
}

/** Servers on this machine for all URLs of the examples and for the models. */
async function openOutside() {
  let answers: Needs["http"] = {};
  const given = new Map<string, number>();
  const server = await openServer((received) => reply(answerTo(requestOf(received))));
  const modelServer = await openModelServer();
  const requestOf = ({ method, path }: Received) => `${method} ${server.url}${path}`;

  function answerTo(request: string): Answer {
    const known = answers?.[request] ?? answers?.[request.replace(/\?.*/, "")];
    if (known === undefined) return { status: 404, text: `nothing is at ${request}` };
    if (!Array.isArray(known)) return known;
    const count = given.get(request) ?? 0;
    given.set(request, count + 1);
    return known[Math.min(count, known.length - 1)] ?? {};
  }

  return {
    net: server.net,
    models: modelServer.models,
    /** Replaces the URLs in a text by those of the server. */
    local: (text: string) => text.replace(/https:\/\/([\w.-]+\.example)\b/g, `${server.url}/$1`),
    /** Sets the responses from now on, and clears recorded requests. */
    reset({ http, model = [] }: Needs): void {
      answers = http;
      given.clear();
      server.received.length = 0;
      modelServer.replyWith(model.map(toReply));
    },
    sent: () =>
      server.received.map((one) => ({ request: requestOf(one), body: parsed(one.body), headers: one.headers })),
    /** All requests to the models. */
    prompts: () => modelServer.requests.map(({ body }) => JSON.stringify(body)).join("\n"),
    async close(): Promise<void> {
      await Promise.all([server.close(), modelServer.close()]);
    },
  };
}

export type Outside = Awaited<ReturnType<typeof openOutside>>;

function toReply({ text, json, calls = [] }: NonNullable<Needs["model"]>[number], nth: number): ScriptedReply {
  const content = json === undefined ? text : JSON.stringify(json);
  return {
    ...(content === undefined ? {} : { text: content }),
    calls: calls.map((call, index) => ({ id: `call_${nth}_${index}`, ...call })),
  };
}

function reply({ status = 200, headers = {}, json, text = "" }: Answer): Reply {
  const type = json === undefined ? "text/html; charset=utf-8" : "application/json";
  const body = json === undefined ? text : JSON.stringify(json);
  return { status, headers: { "content-type": type, ...headers }, body };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
