/** The addresses of incoming webhooks: `/public/apps/hooks/{app_id}/…`, for each method that a step may name. */
import { type Method, rawRoute } from "../http/route.ts";
import type { JsonObject } from "../json.ts";
import { hasEnded, type Run } from "../runs/run.ts";
import { readPayload } from "./payload.ts";

/** Names of a delivery, by which one that is sent again is known: Standard Webhooks, the IETF's draft, GitHub. */
const IDS = ["webhook-id", "idempotency-key", "x-github-delivery"] as const;

const receive = (method: Method) =>
  rawRoute({
    method,
    path: "/public/apps/hooks/{app_id}/{hook_path*}",
    access: "open",
    summary: "Start a run by the webhook of an input step; with Prefer: wait=N the answer is the output of the run.",
    async respond({ webhooks }, request, { params, query, wait, signal, bytes }) {
      // Comes as GET does, and must change nothing.
      if (request.method === "HEAD") return new Response(null, { status: 204 });
      const { values } = await readPayload(request, (query ?? {}) as JsonObject, bytes(), webhooks.bodyLimit);
      const id = IDS.map((name) => request.headers.get(name)).find((value) => value !== null) ?? null;
      const path = params.hook_path;
      return answer(await webhooks.receive(params.app_id, { method, path, values, id, wait, signal }), wait);
    },
  });

export const webhookRoutes = {
  get: receive("GET"),
  post: receive("POST"),
  put: receive("PUT"),
  patch: receive("PATCH"),
  remove: receive("DELETE"),
};

/** Whoever calls a webhook may not read the app: of the run, no more than how it goes and what it gives. */
function answer({ id, status, output, error }: Run, wait: number): Response {
  if (wait > 0 && status === "succeeded") return Response.json(output);
  const about = { id, status, ...(error === null ? {} : { error: { code: error.code } }) };
  return Response.json(about, { status: hasEnded(status) && status !== "succeeded" ? 424 : 202 });
}
