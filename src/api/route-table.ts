/** The route table, from which the HTTP API and the service functions come. */
import { eventRoutes } from "../app-events/routes.ts";
import { appStreamRoutes } from "../app-stream/routes.ts";
import { appRoutes, keyRoutes, meRoutes } from "../apps/routes.ts";
import { collectionRoutes, recordRoutes, tagRoutes } from "../collections/routes.ts";
import { mappingRoutes, ruleRoutes } from "../collections/rules/routes.ts";
import { triggerEventRoutes, triggerRoutes, triggerTypeRoutes } from "../collections/triggers/routes.ts";
import { connectionRoutes } from "../connections/routes.ts";
import { consoleRoutes } from "../console/routes.ts";
import { appDefinitionRoutes, definitionRoutes } from "../definitions/routes.ts";
import { collectionUseRoutes, connectionUseRoutes, workflowUseRoutes } from "../definitions/usage/routes.ts";
import { fileRoutes } from "../files/routes.ts";
import { formRoutes, inputRoutes } from "../forms/routes.ts";
import { healthRoutes } from "../health/routes.ts";
import { hookRequestRoutes, hookRoutes } from "../hooks/routes.ts";
import type { AnyRoute, RouteTable, SlicesOf } from "../http/route.ts";
import { jobRoutes } from "../jobs/routes.ts";
import { mcpRoutes } from "../mcp/routes.ts";
import { openapiRoutes } from "../openapi/routes.ts";
import { followRoutes, runRoutes } from "../runs/routes.ts";
import { scheduleRoutes } from "../schedules/routes.ts";
import { serviceRoutes } from "../services/routes.ts";
import { summaryRoutes } from "../summary/routes.ts";
import { uploadRoutes } from "../uploads/routes.ts";
import { webhookRoutes } from "../webhooks/routes.ts";
import { workflowRoutes } from "../workflows/routes.ts";

export const routes = {
  apps: { ...appRoutes, ...appDefinitionRoutes, ...appStreamRoutes, ...summaryRoutes },
  keys: keyRoutes,
  me: meRoutes,
  workflows: { ...workflowRoutes, ...definitionRoutes, ...workflowUseRoutes },
  runs: runRoutes,
  runRequests: followRoutes,
  inputs: inputRoutes,
  forms: formRoutes,
  events: eventRoutes,
  schedules: scheduleRoutes,
  hookRequests: hookRequestRoutes,
  hooks: hookRoutes,
  webhooks: webhookRoutes,
  services: serviceRoutes,
  connections: { ...connectionRoutes, ...connectionUseRoutes },
  uploads: uploadRoutes,
  files: fileRoutes,
  collections: { ...collectionRoutes, ...collectionUseRoutes },
  triggerEvents: triggerEventRoutes,
  triggers: triggerRoutes,
  triggerTypes: triggerTypeRoutes,
  records: recordRoutes,
  rules: ruleRoutes,
  mappings: mappingRoutes,
  tags: tagRoutes,
  jobs: jobRoutes,
  mcp: mcpRoutes,
  console: consoleRoutes,
  health: healthRoutes,
  openapi: openapiRoutes,
} as const;

/** The slices that createStepwell must provide: those that any route calls. */
export type RouteSlices = SlicesOf<typeof routes>;

const table: RouteTable<RouteSlices> = routes;
export const allRoutes: readonly AnyRoute<RouteSlices>[] = Object.values(table).flatMap((group) =>
  Object.values(group),
);
