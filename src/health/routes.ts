/** The readiness check, for load balancers and orchestrators. */
import { rawRoute } from "../http/route.ts";
import { type Health, Live, NotLive, NotReady, Ready } from "./health.ts";

export interface Slices {
  readonly health: Health;
}

export const healthRoutes = {
  live: rawRoute({
    method: "GET",
    path: "/health/live",
    access: "open",
    summary:
      "Check liveness: 200 as long as the process serves requests, 503 if it must be restarted. Does not call the storage.",
    described: {
      request: {},
      answers: { 200: { body: { "application/json": Live } }, 503: { body: { "application/json": NotLive } } },
    },
    async respond({ health }: Slices) {
      const reason = health.reasonToRestart();
      const answer = reason === null ? { status: "live" } : { status: "not_live", reason };
      return Response.json(answer, { status: reason === null ? 200 : 503, headers: { "cache-control": "no-store" } });
    },
  }),
  show: rawRoute({
    method: "GET",
    path: "/health",
    access: "open",
    summary:
      "Check readiness: 200 if the storage responds and recovery is complete, otherwise 503 with the parts that are not ready.",
    described: {
      request: {},
      answers: { 200: { body: { "application/json": Ready } }, 503: { body: { "application/json": NotReady } } },
    },
    async respond({ health }: Slices) {
      const not_ready = await health.problems();
      const isReady = not_ready.length === 0;
      const answer = isReady ? { status: "ready" } : { status: "not_ready", not_ready };
      return Response.json(answer, { status: isReady ? 200 : 503, headers: { "cache-control": "no-store" } });
    },
  }),
};
