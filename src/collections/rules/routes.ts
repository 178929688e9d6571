/** The routes of a collection's rules and mappings. */
import { pageQuery } from "../../documents/pagination.ts";
import { urlComponent } from "../../encoding/url-component.ts";
import { createdAt, nothing, one, pageOf, route } from "../../http/route.ts";
import { list, strictObject } from "../../schema.ts";
import { read, write } from "../access.ts";
import { Mapping } from "../mapping.ts";
import { Rule, RuleInput, RuleUpdate } from "../rule.ts";
import type { Rules } from "./rules.ts";

export interface Slices {
  readonly rules: Rules;
}

const RULES = "/apps/{app_id}/collections/{collection_id}/rules";
const RULE = "/apps/{app_id}/collections/{collection_id}/rules/{key}";
const MAPPINGS = "/apps/{app_id}/collections/{collection_id}/mappings";

export const ruleRoutes = {
  create: route({
    method: "POST",
    path: RULES,
    ...write,
    summary: "Add a rule at the end of a collection's list of rules.",
    body: RuleInput,
    answers: createdAt(Rule, ({ key }, path) => `${path}/${urlComponent(key)}`),
    run: ({ rules }: Slices, { params, body, receipt }) => rules.create(params, body, receipt),
  }),
  list: route({
    method: "GET",
    path: RULES,
    ...read,
    summary: "List the rules of a collection, in order.",
    query: strictObject(pageQuery),
    answers: pageOf(Rule),
    run: ({ rules }: Slices, { params, query }) => rules.list(params, query),
  }),
  get: route({
    method: "GET",
    path: RULE,
    ...read,
    summary: "Get a rule by its key.",
    answers: one(Rule),
    run: ({ rules }: Slices, { params }) => rules.get(params),
  }),
  update: route({
    method: "PATCH",
    path: RULE,
    ...write,
    summary: "Update a rule. Omitted fields keep their values.",
    body: RuleUpdate,
    answers: one(Rule),
    run: ({ rules }: Slices, { params, body }) => rules.update(params, body),
  }),
  remove: route({
    method: "DELETE",
    path: RULE,
    ...write,
    summary: "Remove a rule from a collection.",
    answers: nothing(),
    run: ({ rules }: Slices, { params }) => rules.remove(params),
  }),
};

export const mappingRoutes = {
  get: route({
    method: "GET",
    path: MAPPINGS,
    ...read,
    summary: "Get the mappings of a collection, in order.",
    answers: one(list(Mapping)),
    run: ({ rules }: Slices, { params }) => rules.listMappings(params),
  }),
  put: route({
    method: "PUT",
    path: MAPPINGS,
    ...write,
    summary: "Replace the mappings of a collection.",
    body: list(Mapping),
    answers: one(list(Mapping)),
    run: ({ rules }: Slices, { params, body }) => rules.putMappings(params, body),
  }),
};
