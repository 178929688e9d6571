/** Fills an app with collections, through every route of them that writes. */
import type { InputDefinition } from "../../../src/index.ts";
import type { Send } from "./recorded-calls.ts";

const TRIGGER = {
  type: "webhook",
  name: "Events",
  config: { type: "webhook", mappings: [{ type: "field", entity_path: "a:b", input_path: ["b"], name: "B" }] },
};

interface Named {
  readonly tag: string;
  readonly rule: { readonly key: string; readonly name: string; readonly workflow_id: string };
  readonly version: string;
  readonly crm: object;
  /** Data that refers to a file. */
  readonly attached: { readonly file_id: string };
}

/** @returns The id of a collection that is not deleted. */
export async function fillCollections(send: Send, app: string, file: string): Promise<string> {
  const named = { ...(await fillNamed(send, app)), attached: { file_id: file } };
  await fillCollection(send, app, named, "Deleted");
  const kept = await fillCollection(send, app, named, "Kept");
  await send("POST", `/apps/${app}/collections/${kept}/restore`);
  return kept;
}

/** What collections name. */
async function fillNamed(send: Send, app: string): Promise<Omit<Named, "attached">> {
  const tag = await send("POST", `/apps/${app}/tags`, { name: "Tag" });
  await send("PATCH", `/apps/${app}/tags/${tag.id}`, { name: "Renamed" });
  const record: InputDefinition = { record: { type: "object", fields: {}, additional_fields: true } };
  const checks = { name: "Checks", steps: [{ type: "input", key: "start", input: record }] };
  const { id: workflow_id } = await send("POST", `/apps/${app}/workflows`, checks);
  const { id: version } = await send("POST", `/apps/${app}/workflows/${workflow_id}/versions`, {});
  const account = { name: "Accounts", service: "crm", credentials: { password: "another password" } };
  const { id: connection_id } = await send("POST", `/apps/${app}/connections`, account);
  const { mappings } = TRIGGER.config;
  const crm = { type: "crm", name: "Accounts", config: { type: "crm", mappings }, enabled: false, connection_id };
  const rule = { key: "rule", name: "Rule", workflow_id, on_success: "PASS", on_fail: "FAIL" };
  return { tag: tag.id, rule, version, crm };
}

async function fillCollection(send: Send, app: string, named: Named, name: string): Promise<string> {
  const { tag, rule, version, crm } = named;
  const all = `/apps/${app}/collections`;
  const rules = [rule, { ...rule, key: "pinned", workflow_version_id: version, disabled: true }];
  const config = { rules, indexes: ["a:b"] };
  const { id, triggers } = await send("POST", all, { name, tags: [tag], config, triggers: [TRIGGER, crm] });
  const kept = await fillTriggers(send, `${all}/${id}`, triggers[0]?.id ?? "", crm);
  await send("PATCH", `${all}/${id}`, { description: "Changed" });
  const pinned = { ...rule, workflow_version_id: version };
  await send("POST", `${all}/${id}/rules`, { ...pinned, key: "another" });
  await send("PATCH", `${all}/${id}/rules/another`, {
    workflow_id: rule.workflow_id,
    workflow_version_id: version,
    disabled: true,
  });
  await send("POST", `${all}/${id}/rules`, { ...pinned, key: "removed" });
  await send("DELETE", `${all}/${id}/rules/removed`);
  await send("PUT", `${all}/${id}/mappings`, [{ source_path: "a:b", destination_paths: ["a:d"] }]);
  await fillRecords(send, app, `${all}/${id}`, named);
  await send("PATCH", `${all}/${id}`, {
    tags: [tag],
    config: { rules: [...rules, { ...pinned, key: "another" }] },
    triggers: kept,
  });
  await send("DELETE", `${all}/${id}`);
  return id;
}

/** @returns The triggers to keep. */
async function fillTriggers(send: Send, collection: string, trigger: string, crm: object): Promise<object[]> {
  const { deliveries } = await send("POST", `/public/apps/triggers/${trigger}/events`, { b: 4 });
  const { id: added } = await send("POST", `${collection}/triggers`, TRIGGER);
  await send("PATCH", `${collection}/triggers/${added}`, { name: "Renamed" });
  await send("POST", `${collection}/triggers/${added}/test`, { data: { b: 5 } });
  await send("PUT", `${collection}/triggers/${trigger}/signature`, { scheme: "github" });
  await send("POST", `${collection}/triggers/${trigger}/deliveries/${deliveries[0]?.id}/redeliver`);
  const { id: polled } = await send("POST", `${collection}/triggers`, crm);
  await send("PATCH", `${collection}/triggers/${polled}`, crm);
  return [
    { ...TRIGGER, id: trigger },
    { ...TRIGGER, id: added },
    { ...crm, id: polled },
  ];
}

async function fillRecords(send: Send, app: string, collection: string, { tag, attached }: Named): Promise<void> {
  const all = `${collection}/records`;
  const { id: record } = await send("POST", all, { key: "once", data: { a: { b: 1 } }, tags: [tag] });
  await send("PATCH", `${all}/${record}`, { data: { a: { c: 2, attached } }, tags: [tag] });
  await send("POST", `${all}/${record}/evaluate`);
  await send("PATCH", collection, { config: { indexes: ["a:b", "a:c"] } });
  await send("POST", `${all}/upsert`, { path: "a:b", value: 3, data: { a: { attached } }, tags: [tag] });
  await send("POST", `${all}/bulk`, { operations: [{ op: "create", data: { a: { b: 5 } } }] });
  await send("POST", `${all}/bulk`, {
    operations: [{ op: "update", record_id: record, data: { a: { attached } }, tags: [tag] }],
  });
  const csv = new TextEncoder().encode("a:b\n7\n");
  await send("POST", `${all}/import`, csv, { "content-type": "text/csv" });
  const job = await send("POST", `${all}/evaluate`, {});
  await send("POST", `/apps/${app}/jobs/${job.id}/cancel`);
  await send("POST", `${all}/evaluate`, { search: "3", tags: [tag] });
  await send("POST", `${all}/evaluate`, { ids: [record] });
  const { id: deleted } = await send("POST", all, { data: { a: { b: 4, attached: [attached] } }, tags: [tag] });
  await send("DELETE", `${all}/${deleted}`);
}
