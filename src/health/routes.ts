/** Whether the service is ready, for load balancers and orchestrators. */
import { rawRoute } from "../http/route.ts";

export const healthRoutes = {
  show: rawRoute({
    method: "GET",
    path: "/health",
    access: "open",
    summary:
      "Whether the storage answers and everything that an earlier process left was taken up: 200, or 503 with what is not ready.",
    async respond({ health }) {
      const not_ready = await health.problems();
      const isReady = not_ready.length === 0;
      const answer = isReady ? { status: "ready" } : { status: "not_ready", not_ready };
      return Response.json(answer, { status: isReady ? 200 : 503, headers: { "cache-control": "no-store" } });
    },
  }),
};
