/** The route of the summary of an app. */
import { one, route } from "../http/route.ts";
import type { Summarize } from "./summarize.ts";
import { Summary } from "./summary.ts";

export interface Slices {
  readonly summarize: Summarize;
}

export const summaryRoutes = {
  summary: route({
    method: "GET",
    path: "/apps/{app_id}/summary",
    access: "app",
    scope: "runs:read",
    summary:
      "Get what an overview of an app shows: open runs, ended runs of the last 24 hours by hour, failing workflows, and the next runs of schedules.",
    answers: one(Summary),
    run: ({ summarize }: Slices, { params, caller }) => summarize(params.app_id, caller),
  }),
};
