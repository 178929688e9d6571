/** Checks which events a webhook sends: that they can occur, and that the caller can read them. */
import type { ApiKeyScope } from "../calls/caller.ts";
import { lookUp } from "../documents/look-up.ts";
import { type FieldError, StepwellError } from "../errors.ts";
import { type EventGroup, groupsOf } from "../events/event.ts";
import type { WebhookDocument, WebhookUpdate } from "./webhook.ts";

export type EventFilter = Pick<WebhookDocument, "collection_id" | "workflow_id" | "events">;
/** Whether the caller has a scope. */
export type HasScope = (scope: ApiKeyScope) => boolean;

/** The groups of events that belong to a collection, and to a workflow. */
const GROUPS = { collection_id: ["record", "rule", "collection"], workflow_id: ["run", "workflow"] } as const;

const READ_SCOPES: Readonly<Record<EventGroup, ApiKeyScope>> = {
  run: "runs:read",
  record: "collections:read",
  rule: "collections:read",
  collection: "collections:read",
  file: "files:read",
  workflow: "workflows:read",
};

/** Rejects types whose events can never match the filter. */
function filterErrors({ events, ...filter }: EventFilter): FieldError[] {
  if (filter.collection_id !== null && filter.workflow_id !== null) {
    return [{ pointer: "/workflow_id", message: "Must not be combined with collection_id. Create two webhooks." }];
  }
  return (["collection_id", "workflow_id"] as const).flatMap((name) => {
    if (filter[name] === null) return [];
    const groups: readonly EventGroup[] = GROUPS[name];
    const passes = (pattern: string) => groupsOf(pattern).every((group) => groups.includes(group));
    const message = `Events of this type have no ${name}. With ${name}, use ${groups.map((group) => `${group}.*`).join(", ")}.`;
    return events.flatMap((pattern, index) => (passes(pattern) ? [] : [{ pointer: `/events/${index}`, message }]));
  });
}

export interface RequireParent {
  /** @throws StepwellError `not_found` */
  requireCollection(appId: string, collectionId: string): Promise<unknown>;
  /** @throws StepwellError `not_found` */
  requireWorkflow(appId: string, workflowId: string): Promise<unknown>;
}

/** Problems of a filter, including a collection or workflow that does not exist. */
export async function filterProblems(
  appId: string,
  filter: EventFilter,
  { requireCollection, requireWorkflow }: RequireParent,
): Promise<FieldError[]> {
  const missing = async (pointer: string, id: string | null, require: RequireParent["requireWorkflow"]) => {
    const parent = id === null ? null : await lookUp(require(appId, id));
    return parent?.ok === false ? [{ pointer, message: parent.message }] : [];
  };
  return [
    ...filterErrors(filter),
    ...(await missing("/collection_id", filter.collection_id, requireCollection)),
    ...(await missing("/workflow_id", filter.workflow_id, requireWorkflow)),
  ];
}

/**
 * Requires the scopes that read the resources of the events, because a webhook sends them to a URL that the caller chooses.
 * @param given What the caller sets. The rest is stored.
 * @throws StepwellError `forbidden` with pointers into `given`
 */
export function requireReadScopes(events: readonly string[], given: WebhookUpdate, hasScope: HasScope): void {
  const source = (["url", "collection_id", "workflow_id"] as const).find((name) => given[name] !== undefined);
  const missing = events.map((pattern) => {
    const needed = groupsOf(pattern).map((group) => READ_SCOPES[group]);
    return [...new Set(needed)].filter((scope) => !hasScope(scope)).sort();
  });
  const all = [...new Set(missing.flat())].sort();
  if (all.length === 0) return;
  const errors =
    given.events === undefined
      ? [{ pointer: `/${source}`, message: messageOf(all) }]
      : missing.flatMap((scopes, index) =>
          scopes.length > 0 ? [{ pointer: `/events/${index}`, message: messageOf(scopes) }] : [],
        );
  throw new StepwellError("forbidden", `The API key cannot read all events of the webhook. ${messageOf(all)}`, {
    errors,
    headers: { "www-authenticate": `Bearer realm="stepwell", error="insufficient_scope", scope="${all.join(" ")}"` },
  });
}

const messageOf = (scopes: readonly string[]) =>
  `Needs the ${scopes.length === 1 ? "scope" : "scopes"} ${scopes.join(", ")}, which the API key does not have.`;
