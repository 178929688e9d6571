/** The routes that receive the events of triggers, and those of triggers and their deliveries. */

import { pageQuery } from "../../documents/pagination.ts";
import { created, createdAt, nothing, one, pageOf, rawRoute, route } from "../../http/route.ts";
import { list, strictObject } from "../../schema.ts";
import { SignaturePut } from "../../signatures/signature-settings.ts";
import { read, write } from "../access.ts";
import { DeliveryQuery, DeliveryReceipt, TriggerDelivery } from "./deliveries/delivery.ts";
import type { TriggerDeliveries } from "./deliveries/delivery-log.ts";
import { type GetPolling, TriggerPolling } from "./polling.ts";
import type { ReceiveEvents } from "./receive-events.ts";
import { type TestTrigger, TriggerTest } from "./test-trigger.ts";
import { Trigger, TriggerCreate, TriggerUpdate } from "./trigger.ts";
import { TriggerSignature, type TriggerSignatures } from "./trigger-signatures.ts";
import { TriggerTypeInfo } from "./trigger-type-info.ts";
import type { TriggerTypes } from "./trigger-types.ts";
import type { Triggers } from "./triggers.ts";

export interface Slices {
  readonly triggers: Triggers;
  readonly testTrigger: TestTrigger;
  readonly triggerEvents: ReceiveEvents;
  readonly triggerDeliveries: TriggerDeliveries;
  readonly triggerSignatures: TriggerSignatures;
  readonly getPolling: GetPolling;
  readonly triggerTypes: Pick<TriggerTypes, "describe">;
}

export const triggerEventRoutes = {
  receive: rawRoute({
    method: "POST",
    path: "/public/apps/triggers/{trigger_id}/events",
    access: "open",
    summary:
      "Deliver events to a trigger. The response confirms that they are stored; Stepwell handles them afterwards.",
    described: {
      request: { body: { "*/*": null } },
      answers: { 202: { body: { "application/json": DeliveryReceipt } } },
    },
    exists: ({ triggerEvents }: Slices, { trigger_id }) => triggerEvents.accepts(trigger_id),
    async respond({ triggerEvents }: Slices, request, { params, signal, bytes, isBodyRebuilt }) {
      const incoming = { headers: request.headers, body: bytes(), isBodyRebuilt, signal };
      const deliveries = await triggerEvents.receive(params.trigger_id, incoming);
      return Response.json({ deliveries }, { status: 202 });
    },
  }),
};

const TRIGGERS = "/apps/{app_id}/collections/{collection_id}/triggers";
const TRIGGER = "/apps/{app_id}/collections/{collection_id}/triggers/{trigger_id}";

export const triggerTypeRoutes = {
  list: route({
    method: "GET",
    path: "/trigger-types",
    access: "app",
    scope: "collections:read",
    summary: "List the built-in and custom trigger types, with a JSON Schema for the settings of each.",
    answers: one(list(TriggerTypeInfo)),
    run: ({ triggerTypes }: Slices) => triggerTypes.describe(),
  }),
};

export const triggerRoutes = {
  create: route({
    method: "POST",
    path: TRIGGERS,
    ...write,
    summary: "Add a trigger at the end of a collection's list of triggers.",
    body: TriggerCreate,
    answers: created(Trigger),
    run: ({ triggers }: Slices, { params, body, receipt }) => triggers.create(params, body, receipt),
  }),
  list: route({
    method: "GET",
    path: TRIGGERS,
    ...read,
    summary: "List the triggers of a collection, in order.",
    query: strictObject(pageQuery),
    answers: pageOf(Trigger),
    run: ({ triggers }: Slices, { params, query }) => triggers.list(params, query),
  }),
  get: route({
    method: "GET",
    path: TRIGGER,
    ...read,
    summary: "Get a trigger.",
    answers: one(Trigger),
    run: ({ triggers }: Slices, { params }) => triggers.get(params),
  }),
  update: route({
    method: "PATCH",
    path: TRIGGER,
    ...write,
    summary: "Update a trigger. Omitted fields keep their values; `config` is replaced as a whole.",
    body: TriggerUpdate,
    answers: one(Trigger),
    run: ({ triggers }: Slices, { params, body }) => triggers.update(params, body),
  }),
  remove: route({
    method: "DELETE",
    path: TRIGGER,
    ...write,
    summary: "Remove a trigger from a collection. Its pending events fail.",
    answers: nothing(),
    run: ({ triggers }: Slices, { params }) => triggers.remove(params),
  }),
  test: route({
    method: "POST",
    path: `${TRIGGER}/test`,
    ...write,
    summary:
      "Deliver an event to a trigger, as if its source had sent it. The response does not wait for its handling.",
    body: TriggerTest,
    answers: createdAt(TriggerDelivery, ({ id }, path) => `${path.slice(0, -"/test".length)}/deliveries/${id}`),
    run: ({ testTrigger }: Slices, { params, body, receipt }) => testTrigger(params, body, receipt),
  }),
  polling: route({
    method: "GET",
    path: `${TRIGGER}/polling`,
    ...read,
    summary: "Get the times of the last and next poll of a trigger, and the error of the last poll.",
    answers: one(TriggerPolling),
    run: ({ getPolling }: Slices, { params }) => getPolling(params),
  }),
  getSignature: route({
    method: "GET",
    path: `${TRIGGER}/signature`,
    ...read,
    summary: "Get the URL of a trigger and its signature settings.",
    answers: one(TriggerSignature),
    run: ({ triggerSignatures }: Slices, { params }) => triggerSignatures.get(params),
  }),
  putSignature: route({
    method: "PUT",
    path: `${TRIGGER}/signature`,
    ...write,
    summary: "Require signed events. Only this response contains a generated secret.",
    body: SignaturePut,
    answers: one(TriggerSignature),
    run: ({ triggerSignatures }: Slices, { params, body }) => triggerSignatures.put(params, body),
  }),
  removeSignature: route({
    method: "DELETE",
    path: `${TRIGGER}/signature`,
    ...write,
    summary: "Stop requiring signed events.",
    answers: nothing(),
    run: ({ triggerSignatures }: Slices, { params }) => triggerSignatures.remove(params),
  }),
  deliveries: route({
    method: "GET",
    path: `${TRIGGER}/deliveries`,
    ...read,
    summary: "List the events that a trigger received within the last 30 days, newest first, with the outcome of each.",
    query: DeliveryQuery,
    answers: pageOf(TriggerDelivery),
    run: ({ triggerDeliveries }: Slices, { params, query }) => triggerDeliveries.list(params, query),
  }),
  getDelivery: route({
    method: "GET",
    path: `${TRIGGER}/deliveries/{delivery_id}`,
    ...read,
    summary: "Get an event that a trigger received, with its outcome.",
    answers: one(TriggerDelivery),
    run: ({ triggerDeliveries }: Slices, { params }) => triggerDeliveries.get(params),
  }),
  redeliver: route({
    method: "POST",
    path: `${TRIGGER}/deliveries/{delivery_id}/redeliver`,
    ...write,
    summary:
      "Handle an event again with the current settings of the trigger. The response does not wait for its handling.",
    answers: one(TriggerDelivery),
    run: ({ triggerDeliveries }: Slices, { params }) => triggerDeliveries.redeliver(params),
  }),
};
