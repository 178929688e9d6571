/** The routes that tell who uses a workflow, a collection or a connection. */
import { one, route } from "../../http/route.ts";
import { type FindUses, Uses } from "./uses.ts";

export interface Slices {
  readonly findUses: FindUses;
}

const SUMMARY = "List what keeps it from being deleted: schedules, rules, triggers and workflows that use it.";

export const workflowUseRoutes = {
  uses: route({
    method: "GET",
    path: "/apps/{app_id}/workflows/{workflow_id}/uses",
    access: "app",
    scope: "workflows:read",
    summary: SUMMARY,
    answers: one(Uses),
    run: ({ findUses }: Slices, { params: { app_id, workflow_id: id }, caller }) =>
      findUses.find({ app_id, id, kind: "workflow" }, caller),
  }),
};

export const collectionUseRoutes = {
  uses: route({
    method: "GET",
    path: "/apps/{app_id}/collections/{collection_id}/uses",
    access: "app",
    scope: "collections:read",
    summary: SUMMARY,
    answers: one(Uses),
    run: ({ findUses }: Slices, { params: { app_id, collection_id: id }, caller }) =>
      findUses.find({ app_id, id, kind: "collection" }, caller),
  }),
};

export const connectionUseRoutes = {
  uses: route({
    method: "GET",
    path: "/apps/{app_id}/connections/{connection_id}/uses",
    access: "app",
    scope: "connections:read",
    summary: SUMMARY,
    answers: one(Uses),
    run: ({ findUses }: Slices, { params: { app_id, connection_id: id }, caller }) =>
      findUses.find({ app_id, id, kind: "connection" }, caller),
  }),
};
