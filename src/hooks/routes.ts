/**
 * The URLs of incoming webhooks (`/public/apps/hooks/{app_id}/…`), and the routes that manage them. A body that does not
 * match its `Content-Type`, such as invalid JSON, gets 400 `malformed` and starts no run.
 */
import * as v from "valibot";
import { pageQuery, searchQuery, tokenQuery } from "../documents/pagination.ts";
import { respondToStartForm, showStartForm } from "../forms/page/respond.ts";
import type { StartForms } from "../forms/start-forms.ts";
import { createdSecret, type Method, nothing, one, pageOf, rawRoute, route } from "../http/route.ts";
import { checkedJson, type JsonObject, omitUndefined } from "../json.ts";
import { hasEnded } from "../runs/run.ts";
import { strictObject } from "../schema.ts";
import { SignaturePut } from "../signatures/signature-settings.ts";
import { prefersHtml } from "../web-pages/respond.ts";
import type { FoundHook } from "./hook-registry.ts";
import { toResponse } from "./hook-response.ts";
import type { HookSignatures } from "./hook-signatures.ts";
import { Hook, HookCreate, HookRun, SignedHook } from "./hook-view.ts";
import { type HookAnswer, type HookReceiver, noWebhook } from "./receive-request.ts";
import { HookRequests, type RequestLog } from "./request-log.ts";

export interface Slices {
  readonly hookReceiver: HookReceiver;
  readonly startForms: StartForms;
  readonly signatures: HookSignatures;
  readonly requestLog: Pick<RequestLog, "read">;
}

const receive = (method: Method) =>
  rawRoute({
    method,
    path: "/public/apps/hooks/{app_id}/{hook_path*}",
    access: "open",
    summary:
      "Start a run through the webhook of an input step. With `Prefer: wait=N`, the response contains the output if the run succeeds within N seconds.",
    waits: true,
    described: {
      request: omitUndefined({ body: method === "GET" ? undefined : { "*/*": null } }),
      answers: {
        200: { meaning: "The output of the run, or the form for browsers.", body: { "*/*": null } },
        202: { meaning: "The run has not ended.", body: { "application/json": HookRun } },
        424: { meaning: "The run has failed or was canceled.", body: { "application/json": HookRun } },
      },
    },
    exists: ({ hookReceiver }: Slices, { app_id, hook_path }) => hookReceiver.exists(app_id, method, hook_path),
    async respond({ hookReceiver, startForms }: Slices, request, call) {
      const { params, query, wait, signal, bytes, isBodyRebuilt } = call;
      // Routed like GET, but it must not start a run.
      if (request.method === "HEAD") {
        if (!(await hookReceiver.exists(params.app_id, method, params.hook_path)))
          throw noWebhook(method, params.hook_path);
        return new Response(null, { status: 204 });
      }
      const form = await formOf(startForms, request, params);
      if (form !== null && method === "GET") return showStartForm(request, () => startForms.open(form));
      if (form !== null) {
        const { headers } = request;
        return respondToStartForm(
          request,
          startForms.limits,
          () => startForms.open(form),
          (opened, pageLanguage) => startForms.start(opened, { headers, body: bytes(), pageLanguage }),
        );
      }
      const sent = {
        headers: request.headers,
        query: checkedJson(query ?? {}, "query") as JsonObject,
        body: bytes(),
        isBodyRebuilt,
      };
      const hookRequest = { method, path: params.hook_path, ...sent, wait, signal };
      return hookReceiver.receive(params.app_id, hookRequest, answer);
    },
  });

/** The form that a browser gets or sends at the path; null for every other request. */
async function formOf(
  forms: StartForms,
  request: Request,
  params: { readonly app_id: string; readonly hook_path: string },
): Promise<FoundHook | null> {
  const isForm = (request.method === "GET" || request.method === "POST") && prefersHtml(request);
  return isForm ? forms.find(params.app_id, params.hook_path) : null;
}

export const hookRequestRoutes = {
  get: receive("GET"),
  post: receive("POST"),
  put: receive("PUT"),
  patch: receive("PATCH"),
  remove: receive("DELETE"),
};

const ListQuery = strictObject({
  ...pageQuery,
  ...tokenQuery,
  ...searchQuery,
  workflow_id: v.exactOptional(v.string()),
});
const HOOK = "/apps/{app_id}/hooks/{hook_id}";
const read = { access: "app", scope: "hooks:read" } as const;
const write = { access: "app", scope: "hooks:write" } as const;

export const hookRoutes = {
  list: route({
    method: "GET",
    path: "/apps/{app_id}/hooks",
    ...read,
    summary: "List the webhooks of an app, newest first, with their URLs and signature settings.",
    query: ListQuery,
    answers: pageOf(Hook),
    run: ({ signatures }: Slices, { params, query }) => signatures.list(params.app_id, query),
  }),
  get: route({
    method: "GET",
    path: HOOK,
    ...read,
    summary: "Get a webhook with its URL and signature settings.",
    answers: one(Hook),
    run: ({ signatures }: Slices, { params }) => signatures.get(params.app_id, params.hook_id),
  }),
  create: route({
    method: "POST",
    path: "/apps/{app_id}/hooks",
    ...write,
    summary:
      "Create a webhook that requires signed requests, before a workflow uses it. Only this response contains a generated secret.",
    body: HookCreate,
    answers: createdSecret(SignedHook),
    run: ({ signatures }: Slices, { params, body, receipt }) => signatures.create(params.app_id, body, receipt),
  }),
  requests: route({
    method: "GET",
    path: `${HOOK}/requests`,
    ...read,
    summary:
      "List the last 50 requests to a webhook, newest first: the status that each got, and its run or why it was refused. They are stored a second late, so those just before a crash may be missing.",
    answers: one(HookRequests),
    async run({ signatures, requestLog }: Slices, { params }) {
      await signatures.get(params.app_id, params.hook_id);
      return requestLog.read(params.hook_id);
    },
  }),
  putSignature: route({
    method: "PUT",
    path: `${HOOK}/signature`,
    ...write,
    summary: "Require signed requests. Only this response contains a generated secret.",
    body: SignaturePut,
    answers: one(SignedHook),
    run: ({ signatures }: Slices, { params, body }) => signatures.put(params.app_id, params.hook_id, body),
  }),
  removeSignature: route({
    method: "DELETE",
    path: `${HOOK}/signature`,
    ...write,
    summary: "Stop requiring signed requests.",
    answers: nothing(),
    run: ({ signatures }: Slices, { params }) => signatures.remove(params.app_id, params.hook_id),
  }),
};

/** Callers of a hook must not read the app, so the response contains only the status and the result of the run. */
function answer({ run: { id, status, output, error }, hasWaited, response }: HookAnswer): Response {
  if (response !== null) return toResponse(response);
  if (hasWaited && status === "succeeded") return Response.json(output);
  const code = error?.code ?? (status === "canceled" ? "canceled" : null);
  const about = { id, status, error: code === null ? undefined : { code } };
  return Response.json(about, { status: hasEnded(status) && status !== "succeeded" ? 424 : 202 });
}
