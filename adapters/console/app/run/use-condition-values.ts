/** What the conditions of branches read in a run, by the ids of their edges: for the canvas. */
import { useQueries } from "@tanstack/react-query";
import { useMemo } from "react";
import { edgeId, type Port } from "../canvas/canvas-graph.ts";
import { valuesText } from "./inspector/values-text.ts";
import { useShownRun } from "./run-context.ts";
import { stepDetailsQuery } from "./step-details.ts";

/** Branches that are read. */
const MAX_BRANCHES = 40;

export function useConditionValues(): ReadonlyMap<string, string> {
  const { appId, live } = useShownRun();
  const { run } = live;
  const branches = useMemo(
    () => run.steps.filter(({ type, status }) => type === "branch" && status === "succeeded").slice(0, MAX_BRANCHES),
    [run.steps],
  );
  const details = useQueries({
    queries: branches.map((step) => stepDetailsQuery(appId, run.id, step, null)),
    combine: (results) => results.map(({ data }) => data),
  });
  return useMemo(() => {
    const values = new Map<string, string>();
    for (const [index, found] of details.entries()) {
      const from = branches[index]?.key ?? "";
      for (const condition of found?.conditions ?? []) {
        if (condition.kind !== "branch" || condition.name === undefined || condition.values.length === 0) continue;
        const port: Port = { kind: "condition", name: condition.name };
        for (const to of condition.destinations) values.set(edgeId(from, port, to), valuesText(condition.values));
      }
    }
    return values;
  }, [details, branches]);
}
