/** The addresses that receive the events of triggers, and the routes of their deliveries. */
import { nothing, one, pageOf, rawRoute, route } from "../../http/route.ts";
import { SignaturePut } from "../../signatures/signature-settings.ts";
import type { TriggerDeliveries } from "./deliveries.ts";
import { DeliveryQuery, TriggerDelivery } from "./delivery.ts";
import type { ReceiveEvents } from "./receive-events.ts";
import { TriggerSignature, type TriggerSignatures } from "./trigger-signatures.ts";

export interface Slices {
  readonly triggerEvents: ReceiveEvents;
  readonly triggerDeliveries: TriggerDeliveries;
  readonly triggerSignatures: TriggerSignatures;
}

export const triggerEventRoutes = {
  receive: rawRoute({
    method: "POST",
    path: "/public/apps/triggers/{trigger_id}/events",
    access: "open",
    summary: "Deliver events to a trigger. The response comes when they are stored; they are handled afterwards.",
    exists: ({ triggerEvents }: Slices, { trigger_id }) => triggerEvents.accepts(trigger_id),
    async respond({ triggerEvents }: Slices, request, { params, signal, bytes, isBodyRebuilt }) {
      const incoming = { headers: request.headers, body: bytes(), isBodyRebuilt, signal };
      const deliveries = await triggerEvents.receive(params.trigger_id, incoming);
      return Response.json({ deliveries }, { status: 202 });
    },
  }),
};

const TRIGGER = "/apps/{app_id}/collections/{collection_id}/triggers/{trigger_id}";

export const triggerRoutes = {
  getSignature: route({
    method: "GET",
    path: `${TRIGGER}/signature`,
    access: "app",
    scope: "collections:read",
    summary: "Get the address of a trigger and its signature settings.",
    answers: one(TriggerSignature),
    run: ({ triggerSignatures }: Slices, { params }) => triggerSignatures.get(params),
  }),
  putSignature: route({
    method: "PUT",
    path: `${TRIGGER}/signature`,
    access: "app",
    scope: "collections:write",
    summary: "Require signed events. Only this response contains a generated secret.",
    body: SignaturePut,
    answers: one(TriggerSignature),
    run: ({ triggerSignatures }: Slices, { params, body }) => triggerSignatures.put(params, body),
  }),
  removeSignature: route({
    method: "DELETE",
    path: `${TRIGGER}/signature`,
    access: "app",
    scope: "collections:write",
    summary: "Stop requiring signed events.",
    answers: nothing(),
    run: ({ triggerSignatures }: Slices, { params }) => triggerSignatures.remove(params),
  }),
  deliveries: route({
    method: "GET",
    path: `${TRIGGER}/deliveries`,
    access: "app",
    scope: "collections:read",
    summary: "List the events that a trigger received within 30 days, newest first, with what became of each.",
    query: DeliveryQuery,
    answers: pageOf(TriggerDelivery),
    run: ({ triggerDeliveries }: Slices, { params, query }) => triggerDeliveries.list(params, query),
  }),
  getDelivery: route({
    method: "GET",
    path: `${TRIGGER}/deliveries/{delivery_id}`,
    access: "app",
    scope: "collections:read",
    summary: "Get an event that a trigger received, with what became of it.",
    answers: one(TriggerDelivery),
    run: ({ triggerDeliveries }: Slices, { params }) => triggerDeliveries.get(params),
  }),
  redeliver: route({
    method: "POST",
    path: `${TRIGGER}/deliveries/{delivery_id}/redeliver`,
    access: "app",
    scope: "collections:write",
    summary: "Handle an event again, with the trigger as it is now. The response does not wait for it.",
    answers: one(TriggerDelivery),
    run: ({ triggerDeliveries }: Slices, { params }) => triggerDeliveries.redeliver(params),
  }),
};
