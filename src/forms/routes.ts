/** The routes of waiting inputs, and of the links to their forms. */
import * as v from "valibot";
import { pageQuery, tokenQuery } from "../documents/pagination.ts";
import { createdSecret, nothing, one, pageOf, rawRoute, route } from "../http/route.ts";
import { jsonObject, strictObject } from "../schema.ts";
import type { Forms } from "./forms.ts";
import type { InputLinks } from "./input-links.ts";
import { respondToForm, showForm } from "./page/respond.ts";
import { FormReceipt, InputLink, InputLinkCreate, ListedInputLink, WaitingInput, WaitingRun } from "./waiting-input.ts";
import type { WaitingInputs } from "./waiting-inputs.ts";

export interface Slices {
  readonly waitingInputs: WaitingInputs;
  readonly inputLinks: InputLinks;
  readonly forms: Forms;
}

const ListQuery = strictObject({ ...pageQuery, ...tokenQuery, workflow_id: v.exactOptional(v.string()) });
const LinksQuery = strictObject({ ...pageQuery, ...tokenQuery });
const INPUT = "/apps/{app_id}/runs/{run_id}/inputs/{step_key}";
const FORM = "/public/apps/inputs/{token}";

export const inputRoutes = {
  list: route({
    method: "GET",
    path: "/apps/{app_id}/inputs",
    access: "app",
    scope: "runs:read",
    summary: "List the runs that wait for input, longest-waiting first, with the fields that they ask for.",
    query: ListQuery,
    answers: pageOf(WaitingRun),
    run: ({ waitingInputs }: Slices, { params, query }) => waitingInputs.list(params.app_id, query),
  }),
  get: route({
    method: "GET",
    path: INPUT,
    access: "app",
    scope: "runs:read",
    summary: "Get the fields that a waiting input step asks for. Returns 409 if the step is not waiting.",
    answers: one(WaitingInput),
    run: ({ waitingInputs }: Slices, { params }) => waitingInputs.get(params.app_id, params.run_id, params.step_key),
  }),
  createLink: route({
    method: "POST",
    path: `${INPUT}/links`,
    access: "app",
    scope: "runs:write",
    summary:
      "Create a link to the form of a waiting input step, for a person without an API key. The form accepts one answer.",
    body: InputLinkCreate,
    answers: createdSecret(InputLink),
    run: ({ inputLinks }: Slices, { params, body, caller, receipt }) =>
      inputLinks.create(params, body, caller, receipt),
  }),
  listLinks: route({
    method: "GET",
    path: `${INPUT}/links`,
    access: "app",
    scope: "runs:read",
    summary: "List the links to the form of an input step, newest first, without their URLs.",
    query: LinksQuery,
    answers: pageOf(ListedInputLink),
    run: ({ inputLinks }: Slices, { params, query }) => inputLinks.list(params, query),
  }),
  removeLink: route({
    method: "DELETE",
    path: `${INPUT}/links/{link_id}`,
    access: "app",
    scope: "runs:write",
    summary: "Revoke a link to a form.",
    answers: nothing(),
    run: ({ inputLinks }: Slices, { params }) => inputLinks.remove(params),
  }),
};

export const formRoutes = {
  show: rawRoute({
    method: "GET",
    path: FORM,
    access: "open",
    summary: "Get the form of a link as a web page (HTML) or its fields (JSON). Changes nothing.",
    described: { request: {}, answers: { 200: { body: { "application/json": WaitingInput, "text/html": null } } } },
    respond: ({ forms }: Slices, request, { params }) => showForm(request, () => forms.open(params.token)),
  }),
  answer: rawRoute({
    method: "POST",
    path: FORM,
    access: "open",
    summary:
      "Submit a form as multipart/form-data, application/x-www-form-urlencoded or JSON. Repeating the request with the same values returns the same response; 409 if the step has a `loop` or the run was retried.",
    described: {
      request: {
        body: {
          "application/json": jsonObject,
          "application/x-www-form-urlencoded": jsonObject,
          "multipart/form-data": jsonObject,
        },
      },
      answers: { 200: { body: { "application/json": FormReceipt, "text/html": null } } },
    },
    respond: ({ forms }: Slices, request, { params, bytes }) =>
      respondToForm(
        request,
        forms.limits,
        () => forms.open(params.token),
        (form, pageLanguage) => forms.answer(form, { headers: request.headers, body: bytes(), pageLanguage }),
      ),
  }),
};
