/** A program that calls every function of the API once or more. */
import type { Client, SentContent } from "../../../src/client/index.ts";
import type { RecordFilter, Step, Stepwell } from "../../../src/index.ts";
import { until } from "../until.ts";

/** What a host and its client have in common. */
export type Common = Omit<Client, "me" | "with">;

const start: Step = { type: "input", key: "start", input: { n: { type: "number" } }, destinations: ["ask"] };
const ask: Step = { type: "input", key: "ask", input: { ok: { type: "boolean" } } };
const half: Step = { type: "code", key: "half", code: "return 0.5" };
const TRIGGER = {
  type: "webhook",
  name: "Events",
  config: { type: "webhook", mappings: [{ type: "field" as const, entity_path: "a:b", input_path: ["c"], name: "C" }] },
};
/** Nothing listens there. */
const NOWHERE = "http://127.0.0.1:9/";

/**
 * @param admin The functions with the admin key.
 * @param host The instance, to wait for what happens in the background.
 */
export async function callEveryFunction(api: Common, admin: Common, host: Stepwell, appId: string): Promise<void> {
  await callApps(admin);
  const workflow = await callWorkflows(api, appId);
  await callRuns(api, appId, workflow);
  await callHooks(api, host, appId);
  await callFiles(api, appId);
  const collection = await callCollections(api, host, appId, workflow);
  await callRecords(api, appId, collection);
  await callOthers(api, appId, workflow);
}

async function all(items: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of items);
}

async function callApps({ apps, keys }: Common): Promise<void> {
  const { id } = await apps.create({ name: "Another" });
  await apps.list({ take: 1 });
  await all(apps.listAll({ take: 1 }));
  await apps.get(id);
  await apps.update(id, { name: "Renamed" });
  const key = await keys.create(id, { name: "Key", scopes: ["runs:read"] });
  await keys.list(id);
  await all(keys.listAll(id));
  await keys.remove(id, key.id);
  await apps.remove(id);
}

async function callWorkflows({ workflows, apps }: Common, app: string): Promise<string> {
  const { id } = await workflows.create(app, { name: "Asks", steps: [start, ask] });
  await apps.summary(app);
  await workflows.uses(app, id);
  const opened = new AbortController();
  for await (const _ of apps.stream(app, { signal: opened.signal })) opened.abort();
  await workflows.list(app, { search: "asks", visibility: "PRIVATE" });
  await all(workflows.listAll(app));
  await workflows.get(app, id);
  await workflows.update(app, id, { description: "Asks a person" });
  const draft = await workflows.getDraft(app, id);
  await workflows.putDraft(app, id, draft);
  await workflows.validate(app, id);
  await workflows.validate(app, id, { steps: [{ type: "code", key: "a b" }] });
  await workflows.deploy(app, id, { notes: "first" });
  await workflows.rollback(app, id, 1);
  await workflows.listVersions(app, id);
  await all(workflows.listAllVersions(app, id, { take: 1 }));
  await workflows.getVersion(app, id, "latest");
  await workflows.diff(app, id, 1, "draft");
  await workflows.diagram(app, id, 1);
  const bundle = await workflows.export(app, id, 1);
  await workflows.import(app, bundle);
  await apps.export(app);
  const removed = await workflows.create(app, { name: "Removed" });
  await workflows.remove(app, removed.id, { force: true, expected_revision: 1 });
  return id;
}

/** What people see of a run that waits. */
async function callSteps(runs: Common["runs"], app: string, id: string): Promise<void> {
  await runs.get(app, id, { preview: 1 });
  await runs.getStep(app, id, "ask", { preview: 10 });
  await runs.evaluate(app, id, { expression: "input.n + 1" });
  await runs.listItems(app, id, "ask", { status: ["failed"] });
  await all(runs.listAllItems(app, id, "ask"));
}

async function callRuns({ runs, inputs, jobs, workflows }: Common, app: string, workflow: string): Promise<void> {
  const labels = { tags: ["a", "b"], metadata: { order: "7" } };
  const { id } = await runs.create(app, workflow, { input: { n: 1 }, ...labels });
  for await (const { type } of runs.events(app, id)) if (type === "step.waiting") break;
  await runs.wait(app, id, { timeoutMs: 0 });
  await runs.get(app, id);
  await callSteps(runs, app, id);
  await runs.list(app, { ...labels, status: ["waiting", "failed"], order: "asc", take: 1 });
  await all(runs.listAll(app, { status: "waiting", trigger: "api" }));
  await runs.listOfWorkflow(app, workflow, { version: 2, search: id });
  await all(runs.listAllOfWorkflow(app, workflow));
  await inputs.list(app, { workflow_id: workflow });
  await all(inputs.listAll(app));
  await inputs.get(app, id, "ask");
  const form = await inputs.createLink(app, id, "ask");
  await inputs.listLinks(app, id, "ask");
  await all(inputs.listAllLinks(app, id, "ask", { take: 1 }));
  await inputs.removeLink(app, id, "ask", form.id);
  const link = await runs.createLink(app, id);
  await runs.removeLink(app, id, link.id);
  await runs.provide(app, id, "ask", { ok: true });
  await runs.wait(app, id);
  await all(runs.events(app, id));
  await runs.replay(app, id, {});
  const canceled = await runs.create(app, workflow, { input: { n: 2 } });
  await runs.cancel(app, canceled.id);
  await runs.retry(app, canceled.id);
  await runs.cancel(app, canceled.id);
  const job = await runs.bulk(app, { action: "cancel", filter: { tags: ["none"] } });
  await jobs.wait(app, job.id);
  await jobs.get(app, job.id);
  await jobs.list(app, { status: "succeeded" });
  await all(jobs.listAll(app));
  await jobs.cancel(app, job.id);
  const tested = await workflows.create(app, { name: "Tested", steps: [{ ...start, destinations: ["half"] }, half] });
  const run = await runs.testStep(app, tested.id, "half", { input: { n: 1 } });
  await runs.wait(app, run.id);
  await runs.remove(app, run.id);
}

async function callHooks({ hooks, workflows, webhooks, events }: Common, host: Stepwell, app: string): Promise<void> {
  const steps: Step[] = [{ type: "input", key: "in", input: {}, webhook: { method: "POST", path: "in" } }];
  const { id } = await workflows.create(app, { name: "Webhook", steps });
  await workflows.deploy(app, id);
  const listed = await hooks.list(app, { workflow_id: id });
  await all(hooks.listAll(app));
  const hook = listed.items[0]?.id ?? "";
  await hooks.get(app, hook);
  await hooks.requests(app, hook);
  await hooks.putSignature(app, hook, { scheme: "github" });
  await hooks.removeSignature(app, hook);
  await hooks.create(app, { method: "PUT", path: "later", signature: { scheme: "github" } });
  const webhook = await webhooks.create(app, { url: NOWHERE, events: ["*"] });
  await webhooks.update(app, webhook.id, { events: ["app_event.*"], enabled: false }).catch(() => undefined);
  await webhooks.update(app, webhook.id, { events: ["record.*"] });
  await webhooks.get(app, webhook.id);
  await webhooks.list(app);
  await all(webhooks.listAll(app));
  await webhooks.rotate(app, webhook.id);
  await webhooks.test(app, webhook.id);
  await webhooks.deliveries(app, webhook.id, { status: "failed" });
  await all(webhooks.allDeliveries(app, webhook.id));
  await webhooks.redeliver(app, webhook.id, "wdel_none").catch(() => undefined);
  await webhooks.remove(app, webhook.id);
  const { id: event } = await events.emit(app, { name: "order.paid", subject: "7", payload: { total: 12 } });
  await until(async () => (await host.events.get(app, event)).delivered_at !== null);
  await events.list(app, { name: "order.paid" });
  await all(events.listAll(app));
  await events.get(app, event);
}

async function callFiles({ files }: Common, app: string): Promise<void> {
  const { upload_url } = await files.createUpload(app, { max_size: 1_000_000 });
  const content: SentContent = { name: "a.txt", type: "text/plain; charset=iso-8859-5", body: bytes(3) };
  const { id } = await files.receive(upload_url, content);
  await files.create(app, { name: "b.bin", body: bytes(600_000) });
  await files.create(app, { name: "c.bin", body: streamOf(bytes(600_000)), visibility: "PUBLIC" });
  await files.list(app, { type: "text/*" });
  await all(files.listAll(app, { take: 2 }));
  await files.get(app, id);
  await files.update(app, id, { name: "renamed.txt" });
  await files.createLink(app, id, { expires_in: 60 });
  await files.content(app, id);
  await files.content(app, id, { start: 1, end: 2 });
  await files.content(app, id, { start: 1, end: 1 });
  await files.remove(app, id);
}

async function callCollections(api: Common, host: Stepwell, app: string, workflow: string): Promise<string> {
  const { collections, tags, rules, mappings } = api;
  const tag = (await tags.create(app, { name: "Tag" })).id;
  await tags.list(app, { search: "tag" });
  await all(tags.listAll(app));
  await tags.get(app, tag);
  await tags.update(app, tag, { name: "Renamed" });
  const { id } = await collections.create(app, { name: "Loans", tags: [tag], triggers: [TRIGGER] });
  await collections.list(app, { tags: [tag], deleted: false });
  await all(collections.listAll(app));
  await collections.get(app, id);
  await collections.update(app, id, { description: "Changed" });
  await rules.create(app, id, { key: "rule / 1", name: "Rule", workflow_id: workflow, disabled: true });
  await rules.list(app, id);
  await all(rules.listAll(app, id, { take: 1 }));
  await rules.get(app, id, "rule / 1");
  await rules.update(app, id, "rule / 1", { name: "Renamed" });
  await rules.remove(app, id, "rule / 1");
  await mappings.put(app, id, [{ source_path: "a:b", destination_paths: ["a:d"] }]);
  await mappings.get(app, id);
  await callTriggers(api, host, app, id);
  await collections.uses(app, id);
  await collections.remove(app, id);
  await collections.restore(app, id);
  return id;
}

async function callTriggers({ triggers }: Common, host: Stepwell, app: string, collection: string): Promise<void> {
  const { id } = await triggers.create(app, collection, TRIGGER);
  await triggers.list(app, collection);
  await all(triggers.listAll(app, collection));
  await triggers.get(app, collection, id);
  await triggers.update(app, collection, id, { name: "Renamed" });
  await triggers.polling(app, collection, id).catch(() => undefined);
  await triggers.putSignature(app, collection, id, { scheme: "github" });
  await triggers.getSignature(app, collection, id);
  await triggers.removeSignature(app, collection, id);
  const delivery = await triggers.test(app, collection, id, { data: { c: 1 } });
  await until(async () => (await host.triggers.getDelivery(app, collection, id, delivery.id)).status !== "pending");
  await triggers.getDelivery(app, collection, id, delivery.id);
  await triggers.redeliver(app, collection, id, "tdel_none").catch(() => undefined);
  await triggers.deliveries(app, collection, id, { status: "failed" });
  await all(triggers.allDeliveries(app, collection, id));
  await triggers.remove(app, collection, id);
}

async function callRecords({ records, jobs }: Common, app: string, collection: string): Promise<void> {
  const { id } = await records.create(app, collection, { data: { loan: { amount: 5, zip: "12345", note: "a,b" } } });
  await records.create(app, collection, { data: { loan: { amount: 7, open: true } } });
  await records.get(app, collection, id);
  await records.update(app, collection, id, { data: { loan: { amount: 6 } }, expected_version: 1 });
  await records.get(app, collection, id, { version: 1 });
  await records.history(app, collection, id);
  await all(records.allHistory(app, collection, id, { take: 1 }));
  await records.upsert(app, collection, { path: "loan:number", value: "A-7", data: { loan: { amount: 9 } } });
  await records.bulk(app, collection, { operations: [{ op: "create", data: { loan: { amount: 1 } } }] });
  await records.list(app, collection, { sort: { field: "loan:amount", descending: true }, take: 2 });
  await records.list(app, collection, { sort: "loan:amount" });
  for (const filter of FILTERS) await records.list(app, collection, { filter });
  await records.list(app, collection, { updated_after: "2001-01-01T00:00:00Z", search: "12345" });
  await all(records.listAll(app, collection, { take: 1, filter: [{ field: "loan:amount", op: "gt", value: 5 }] }));
  const csv = "loan:number,loan:amount\nA-8,90000\n";
  await jobs.wait(app, (await records.import(app, collection, csv, { key: "loan:number" })).id);
  const lines = new TextEncoder().encode('{"data":{"loan":{"amount":3}}}\n');
  await jobs.wait(app, (await records.import(app, collection, streamOf(lines), { format: "jsonl" })).id);
  await records.export(app, collection, { fields: ["loan:number", "loan:amount"] });
  await records.export(app, collection, { format: "jsonl", filter: [{ field: "loan:amount", value: 7 }] });
  await records.evaluate(app, collection, id);
  await jobs.wait(app, (await records.evaluateMany(app, collection, { ids: [id] })).id);
  await records.remove(app, collection, id, { expected_version: 2 });
}

const FILTERS: RecordFilter[][] = [
  [{ field: "loan:zip", value: "12345" }],
  [{ field: "loan:zip", value: 12345 }],
  [{ field: "loan:note", op: "eq", value: "a,b" }],
  [{ field: "loan:note", op: "in", value: ["a", "a,b", 'c"'] }],
  [{ field: "loan:amount", op: "in", value: [5, 6, 7] }],
  [{ field: "loan:open", value: true }],
  [{ field: "loan:open", op: "exists", value: false }],
  [
    { field: "loan:amount", op: "gte", value: 6 },
    { field: "loan:amount", op: "lt", value: 9 },
    { field: "loan:note", op: "contains", value: "," },
  ],
];

async function callOthers(
  { schedules, connections, services, triggerTypes, collections, tags }: Common,
  app: string,
  workflow: string,
) {
  const schedule = await schedules.create(app, { workflow_id: workflow, every: 3_600, input: { n: 1 }, key: "hourly" });
  await schedules.list(app, { workflow_id: workflow });
  await all(schedules.listAll(app));
  await schedules.get(app, schedule.id);
  await schedules.update(app, schedule.id, { paused: true });
  await schedules.remove(app, schedule.id);
  await services.list();
  await triggerTypes.list();
  const credentials = { password: "a password" };
  const connection = await connections.create(app, { name: "Shop", service: "shop", credentials });
  await connections.list(app, { service: "shop" });
  await all(connections.listAll(app));
  await connections.get(app, connection.id);
  await connections.update(app, connection.id, { name: "Renamed" });
  await connections.uses(app, connection.id);
  await connections.remove(app, connection.id);
  for await (const { id } of collections.listAll(app)) await collections.remove(app, id);
  for await (const { id } of tags.listAll(app)) await tags.remove(app, id);
}

/** Not a repeating pattern: lost or doubled bytes change it. */
export function bytes(length: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length }, (_, index) => Math.imul(index, 2_654_435_761) >>> 24);
}

/** In pieces of an odd size. */
export async function* streamOf(content: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < content.length; at += 70_001) yield content.subarray(at, at + 70_001);
}
