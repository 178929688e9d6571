/** A host for the examples: one service with everything in it, and servers on the loopback interface for all that is outside. */
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import * as v from "valibot";
import { createPlaywrightBrowser } from "../../adapters/browser/playwright.ts";
import { searxng } from "../../adapters/search/index.ts";
import { createStepwell, defineService, type Run } from "../../src/index.ts";
import { hasEnded } from "../../src/runs/run.ts";
import type { AnyService } from "../../src/services/define-service.ts";
import { type Answer, type Example, type ExampleRun, FOLDER, type Needs, readExample, textOf } from "./example.ts";
import { type Asked, openModelServer } from "./model-server.ts";
import { openServer, type Received, type Reply } from "./server.ts";
import { silent } from "./service.ts";

/** A service of the host with a connection, as any product is made one. */
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

/** Of the examples nobody knows by their types what they call. */
const SERVICES: readonly AnyService[] = [teamChat];

export interface Outside {
  readonly sent: readonly { readonly request: string; readonly body: unknown; readonly headers: object }[];
  readonly asked: readonly Asked[];
}

export async function openHost(executablePath: string) {
  let answers: Needs["http"] = {};
  const given = new Map<string, number>();
  const server = await openServer((received) => reply(answerTo(requestOf(received))));
  const models = await openModelServer();
  const stepwell = createStepwell({
    logger: silent,
    secret: "a secret of the examples, which is long enough",
    net: server.net,
    services: SERVICES,
    models: models.models,
    webSearch: searxng({ url: `${server.url}/search.example` }),
    browser: createPlaywrightBrowser({ executablePath }),
  });

  const requestOf = ({ method, path }: Received) => `${method} ${server.url}${path}`;

  function answerTo(request: string): Answer {
    const known = answers?.[request] ?? answers?.[request.replace(/\?.*/, "")];
    if (known === undefined) return { status: 404, text: `nothing stands at ${request}` };
    if (!Array.isArray(known)) return known;
    const count = given.get(request) ?? 0;
    given.set(request, count + 1);
    return known[Math.min(count, known.length - 1)] ?? {};
  }

  /** Addresses of the outside world lead to the server. */
  const local = (text: string) => text.replace(/https:\/\/([\w.-]+\.example)\b/g, `${server.url}/$1`);

  /** Makes what the example needs, and gives it with the ids of that in their places. */
  async function prepare(name: string): Promise<{ example: Example; app: string; workflow: string }> {
    const text = local(textOf(name));
    const { needs } = readExample(name, text);
    const app = (await stepwell.apps.create({ name })).id;
    const ids = new Map<string, string>();
    const each = async <T>(kind: string, all: Record<string, T> | undefined, make: (one: T) => Promise<string>) => {
      for (const [key, one] of Object.entries(all ?? {})) ids.set(`@${kind}.${key}`, await make(one));
    };
    const filled = () =>
      readExample(
        name,
        text.replace(/@(?:workflows|collections|connections|files)\.\w+/g, (found) => ids.get(found) ?? found),
      );

    await each("files", needs.files, async (path) => {
      const body = new Uint8Array(readFileSync(FOLDER + path));
      return (await stepwell.files.create(app, { name: basename(path), body })).id;
    });
    await each(
      "connections",
      needs.connections,
      async (one) => (await stepwell.connections.create(app, { name: one.service, ...one })).id,
    );
    await each(
      "workflows",
      needs.workflows,
      async (one) => (await stepwell.workflows.create(app, { name: one.name })).id,
    );
    for (const key of Object.keys(needs.collections ?? {})) {
      const one = filled().needs.collections?.[key];
      const made = await stepwell.collections.create(app, { name: one?.name ?? key, config: one?.config ?? {} });
      ids.set(`@collections.${key}`, made.id);
    }
    const example = filled();
    for (const [key, one] of Object.entries(example.needs.workflows ?? {})) {
      const id = ids.get(`@workflows.${key}`) ?? "";
      await stepwell.workflows.putDraft(app, id, one.definition);
      await stepwell.workflows.deploy(app, id);
    }
    for (const [key, { records }] of Object.entries(example.needs.collections ?? {})) {
      const id = ids.get(`@collections.${key}`) ?? "";
      for (const data of records) await stepwell.records.create(app, id, { data });
    }
    const created = await stepwell.workflows.create(app, { name: example.about.slice(0, 200), ...example.definition });
    await stepwell.workflows.deploy(app, created.id);
    answers = example.needs.http;
    given.clear();
    server.received.length = 0;
    const said = (example.needs.model ?? []).map(({ json, calls = [], ...rest }, nth) => ({
      ...rest,
      ...(json === undefined ? {} : { text: JSON.stringify(json) }),
      calls: calls.map((call, index) => ({ id: `call_${nth}_${index}`, ...call })),
    }));
    models.says(said);
    return { example, app, workflow: created.id };
  }

  async function start(app: string, workflow: string, { webhook, step_key, input }: ExampleRun): Promise<string> {
    if (webhook === undefined) {
      return (await stepwell.runs.create(app, workflow, { input, ...(step_key === undefined ? {} : { step_key }) })).id;
    }
    const [method = "", path = ""] = webhook.split(" ");
    const address = new URL(`http://localhost:3000/public/apps/hooks/${app}/${path}`);
    const isQuery = method === "GET" || method === "DELETE";
    if (isQuery) for (const [name, value] of Object.entries(input)) address.searchParams.set(name, String(value));
    const body = isQuery ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(input) };
    const answer = await stepwell.fetch(new Request(address, { method, ...body }));
    const { id } = v.parse(v.object({ id: v.string() }), await answer.json());
    return id;
  }

  /** Runs it to its end; whatever it waits for is given to it on the way. */
  async function run(app: string, workflow: string, example: ExampleRun): Promise<Run> {
    const id = await start(app, workflow, example);
    for (const [key, values] of Object.entries(example.answers ?? {})) {
      for await (const event of stepwell.runs.events(app, id)) {
        if (event.type === "step.waiting" && event.step === key) break;
      }
      const { status } = await stepwell.runs.get(app, id);
      if (hasEnded(status)) break;
      await stepwell.runs.provide(app, id, key, values);
    }
    return stepwell.runs.wait(app, id, { timeout: 20_000 });
  }

  return {
    stepwell,
    prepare,
    run,
    outside: (): Outside => ({
      sent: server.received.map((one) => ({ request: requestOf(one), body: parsed(one.body), headers: one.headers })),
      asked: models.asked,
    }),
    async close(): Promise<void> {
      await stepwell.close();
      await Promise.all([server.close(), models.close()]);
    },
  };
}

function reply({ status = 200, headers = {}, json, text = "" }: Answer): Reply {
  const type = json === undefined ? "text/html; charset=utf-8" : "application/json";
  return {
    status,
    headers: { "content-type": type, ...headers },
    body: json === undefined ? text : JSON.stringify(json),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
