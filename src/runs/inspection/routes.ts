/** The routes of runs in depth. */
import { StepwellError } from "../../errors.ts";
import { attachment } from "../../files/file-name.ts";
import { parseRanges } from "../../files/parse-range.ts";
import { one, pageOf, rawRoute, route } from "../../http/route.ts";
import type { JsonValue } from "../../json.ts";
import { check, jsonValue } from "../../schema.ts";
import { RunEvaluate, RunEvaluation } from "./evaluation.ts";
import type { Inspections } from "./inspections.ts";
import { StepDetails, StepOutputQuery, StepPart, StepPartsQuery, StepQuery } from "./step-details.ts";

export interface Slices {
  readonly inspections: Inspections;
}

const RUN = "/apps/{app_id}/runs/{run_id}";
const read = { access: "app", scope: "runs:read" } as const;

export const inspectionRoutes = {
  getStep: route({
    method: "GET",
    path: `${RUN}/steps/{step_key}`,
    ...read,
    summary:
      "Get a step of a run in depth: its input, its attempts, and the conditions that decided how the run went on. With `item`, one item or repetition of it.",
    query: StepQuery,
    answers: one(StepDetails),
    run: ({ inspections }: Slices, { params, query }) =>
      inspections.step(params.app_id, params.run_id, params.step_key, query),
  }),
  listItems: route({
    method: "GET",
    path: `${RUN}/steps/{step_key}/items`,
    ...read,
    summary: "List the items of a step with for_each, or the repetitions of one with loop, in their order.",
    query: StepPartsQuery,
    answers: pageOf(StepPart),
    run: ({ inspections }: Slices, { params, query }) =>
      inspections.parts(params.app_id, params.run_id, params.step_key, query),
  }),
  evaluate: route({
    method: "POST",
    path: `${RUN}/evaluate`,
    ...read,
    summary: "Evaluate expressions and templates on a run, as one of its steps would. Changes nothing.",
    body: RunEvaluate,
    answers: one(RunEvaluation),
    run: ({ inspections }: Slices, { params, body }) => inspections.evaluate(params.app_id, params.run_id, body),
  }),
  output: rawRoute({
    method: "GET",
    path: `${RUN}/steps/{step_key}/output`,
    ...read,
    summary:
      "Download the whole output of a step, or of one of its items, as JSON. null until it has succeeded. Supports Range.",
    described: {
      request: { headers: ["Range"], query: StepOutputQuery },
      answers: {
        200: { body: { "application/json": jsonValue } },
        206: {
          meaning: "The range of bytes that `Range` selects.",
          headers: ["Content-Range"],
          body: { "application/octet-stream": null },
        },
      },
    },
    async respond({ inspections }: Slices, request, { params, query: given }) {
      const query = check(StepOutputQuery, given ?? {}, "query");
      const output = await inspections.output(params.app_id, params.run_id, params.step_key, query);
      return jsonDownload(output, request, `${params.step_key}.json`);
    },
  }),
};

/** Answers with the JSON text, or with the range of it that the request asks for. */
function jsonDownload(value: JsonValue, request: Request, name: string): Response {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  // Without an ETag, no `If-Range` matches: the client gets the whole output (RFC 9110 §13.1.5).
  const isRangeRequest = request.method === "GET" && !request.headers.has("if-range");
  const ranges = isRangeRequest ? parseRanges(request.headers.get("range"), bytes.length) : null;
  if (ranges === "unsatisfiable") {
    throw new StepwellError(
      "range_not_satisfiable",
      `The range starts after the end of the output, which has ${bytes.length} bytes.`,
      { headers: { "content-range": `bytes */${bytes.length}` } },
    );
  }
  const [range, another] = ranges ?? [];
  // Servers may ignore a header Range, and clients rarely ask for several ranges (RFC 9110 §14.2).
  const { start, end } = range === undefined || another !== undefined ? { start: 0, end: bytes.length } : range;
  const isPart = end - start < bytes.length;
  const headers = new Headers({
    "accept-ranges": "bytes",
    "cache-control": "no-store",
    // A part of JSON is no JSON.
    "content-type": isPart ? "application/octet-stream" : "application/json",
    "content-disposition": attachment(name),
    "content-length": String(end - start),
    "x-content-type-options": "nosniff",
  });
  if (isPart) headers.set("content-range", `bytes ${start}-${end - 1}/${bytes.length}`);
  return new Response(bytes.subarray(start, end), { status: isPart ? 206 : 200, headers });
}
