/** Creations in an app that another process of the cluster deletes. */
import { afterEach, describe, expect, it } from "vitest";
import type { Step, Stepwell } from "../../src/index.ts";
import { type Changes, type HeldProcesses, openHeldProcesses } from "../support/cluster/held-processes.ts";
import { SERVICES, TRIGGERS } from "../support/http/fill-app.ts";

const start: Step = { type: "input", key: "start", input: {}, destinations: ["ask"] };
const ask: Step = { type: "input", key: "ask", input: { ok: { type: "boolean" } } };
const MAPPING = { type: "field", entity_path: "a:b", input_path: ["b"], name: "b" } as const;

const opened: HeldProcesses[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((processes) => processes.close()));
});

interface Names {
  readonly app: string;
  readonly workflow: string;
  readonly collection: string;
  readonly run: string;
}

/** One call for each kind of document that belongs to an app. */
const CREATIONS: Readonly<Record<string, (stepwell: Stepwell, names: Names) => Promise<unknown>>> = {
  key: ({ keys }, { app }) => keys.create(app, { name: "K" }),
  tag: ({ tags }, { app }) => tags.create(app, { name: "T" }),
  workflow: ({ workflows }, { app }) => workflows.create(app, { name: "W", steps: [start, ask] }),
  version: ({ workflows }, { app, workflow }) => workflows.deploy(app, workflow),
  run: ({ runs }, { app, workflow }) => runs.create(app, workflow, {}),
  "run of a draft": ({ runs }, { app, workflow }) => runs.create(app, workflow, { version: "draft" }),
  "run link": ({ runs }, { app, run }) => runs.createLink(app, run),
  schedule: ({ schedules }, { app, workflow }) =>
    schedules.create(app, { workflow_id: workflow, every: 60, key: "once" }),
  connection: ({ connections }, { app }) =>
    connections.create(app, { name: "C", service: "shop", credentials: { password: "p" } }),
  collection: ({ collections }, { app }) => collections.create(app, { name: "C" }),
  trigger: ({ triggers }, { app, collection }) =>
    triggers.create(app, collection, { type: "webhook", name: "T", config: { type: "webhook", mappings: [MAPPING] } }),
  record: ({ records }, { app, collection }) => records.create(app, collection, { key: "k", data: { a: { b: 1 } } }),
  file: ({ files }, { app }) => files.create(app, { name: "a.txt", body: new Uint8Array(3) }),
  "upload URL": ({ files }, { app }) => files.createUpload(app),
  webhook: ({ webhooks }, { app }) => webhooks.create(app, { url: "https://example.com/", events: ["run.succeeded"] }),
  event: ({ events }, { app }) => events.emit(app, { name: "order.paid", key: "once" }),
  job: ({ runs }, { app, workflow }) => runs.bulk(app, { action: "cancel", filter: { workflow_id: workflow } }),
};

/** Documents of the processes, and marks of bytes, which the next sweep deletes. */
const STAYS = /^(worker|keeper|orphan|health|secret):/;

const ofApp = (app: string) => (changes: Changes) =>
  changes.some(
    (change) =>
      "document" in change &&
      change.document !== null &&
      change.expected == null &&
      "app_id" in change.document &&
      change.document.app_id === app,
  );

async function open() {
  const processes = await openHeldProcesses({ services: SERVICES, triggers: TRIGGERS });
  opened.push(processes);
  const { one, data, until } = processes;
  const { stepwell } = one;
  const before = new Set(data.documents.keys());
  const { id: app } = await stepwell.apps.create({ name: "Gone" });
  const { id: workflow } = await stepwell.workflows.create(app, { name: "W", steps: [start, ask] });
  await stepwell.workflows.deploy(app, workflow);
  const { id: collection } = await stepwell.collections.create(app, { name: "C" });
  await stepwell.records.create(app, collection, { data: {} });
  await stepwell.files.create(app, { name: "a.txt", body: new Uint8Array(3) });
  const { id: run } = await stepwell.runs.create(app, workflow, {});
  await until(async () => (await stepwell.runs.get(app, run)).status === "waiting");
  const left = () => {
    const kinds = [...data.documents.keys()].filter((key) => !before.has(key) && !STAYS.test(key));
    const lists = [...data.lists].filter(([name]) => name.includes(app) || name.includes(workflow));
    return [...kinds, ...lists.map(([name]) => name)];
  };
  return { ...processes, left, app, names: { app, workflow, collection, run } };
}

describe.each(Object.entries(CREATIONS))("a new %s in an app that another process deletes", (_, create) => {
  it("is refused while the data of the app is purged, and leaves nothing", async () => {
    const { one, other, until, finish, left, app, names } = await open();
    const creation = other.hold(ofApp(app));
    const purge = one.hold((changes) =>
      changes.some(({ key, expected }) => key === `deleted-app:${app}` && expected === 1),
    );
    const created = finish(create(other.stepwell, names));
    await until(() => creation.isReached);
    await one.stepwell.apps.remove(app);
    await until(() => purge.isReached);
    creation.release();
    expect(await created).toMatchObject({ reason: { code: "not_found" } });
    purge.release();
    await until(() => left().length === 0);
    expect(left()).toEqual([]);
  });

  it("is refused after the purge, and leaves nothing", async () => {
    const { one, other, until, finish, left, app, names } = await open();
    const creation = other.hold(ofApp(app));
    const created = finish(create(other.stepwell, names));
    await until(() => creation.isReached);
    await one.stepwell.apps.remove(app);
    await until(() => left().length === 0);
    creation.release();
    // A new use of what the purge has deleted is a conflict.
    expect(await created).toMatchObject({ reason: { code: expect.stringMatching(/^(not_found|conflict)$/) } });
    expect(left()).toEqual([]);
  });

  it("is purged if it was committed before", async () => {
    const { one, other, until, finish, left, app, names } = await open();
    expect(await finish(create(other.stepwell, names))).toMatchObject({ status: "fulfilled" });
    await one.stepwell.apps.remove(app);
    await until(() => left().length === 0);
    expect(left()).toEqual([]);
  });
});
