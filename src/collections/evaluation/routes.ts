/** The route that evaluates many records again. */
import { accepted, route } from "../../http/route.ts";
import { Job } from "../../jobs/job.ts";
import { write } from "../access.ts";
import { writerOf } from "../records/writer.ts";
import { type Evaluations, RecordsEvaluate } from "./evaluate-records.ts";

export interface Slices {
  readonly evaluations: Evaluations;
}

export const evaluateMany = route({
  method: "POST",
  path: "/apps/{app_id}/collections/{collection_id}/records/evaluate",
  ...write,
  summary: "Start a job that re-evaluates the rules on all or selected records.",
  body: RecordsEvaluate,
  answers: accepted(Job),
  run: ({ evaluations }: Slices, { params, body, receipt, caller }) =>
    evaluations.start(params, body, receipt, writerOf(caller)),
});
