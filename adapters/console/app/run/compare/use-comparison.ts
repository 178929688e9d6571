/** Another run of the same version beside this one: which steps came out otherwise. */
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Run } from "../../../../../src/runs/run.ts";
import { isSameJson } from "../../merging/same-json.ts";
import { client } from "../../server/client.ts";

export interface Comparison {
  readonly otherId: string;
  readonly other: Run | undefined;
  readonly error: unknown;
  /** Keys of the steps whose outcomes differ. */
  readonly differing: ReadonlySet<string>;
}

/** As for the run itself. Of longer outputs, the lengths are compared. */
const PREVIEW_BYTES = 65_536;
const NONE: ReadonlySet<string> = new Set();

export function useComparison(appId: string, run: Run, otherId: string | null): Comparison | null {
  const query = useQuery({
    queryKey: [appId, "runs", otherId, "compared"],
    queryFn: ({ signal }) => client.with({ signal }).runs.get(appId, otherId ?? "", { preview: PREVIEW_BYTES }),
    enabled: otherId !== null,
    staleTime: 30_000,
  });
  const { data: other, error } = query;
  const { steps } = run;
  return useMemo(() => {
    if (otherId === null) return null;
    return { otherId, other, error, differing: other === undefined ? NONE : differingSteps(steps, other.steps) };
  }, [otherId, other, error, steps]);
}

function differingSteps(steps: Run["steps"], others: Run["steps"]): ReadonlySet<string> {
  const known = new Map(others.map((step) => [step.key, step]));
  const differing = steps.filter((step) => {
    const other = known.get(step.key);
    return (
      other === undefined ||
      other.status !== step.status ||
      other.output_bytes !== step.output_bytes ||
      !isSameJson(step.output, other.output)
    );
  });
  return new Set(differing.map(({ key }) => key));
}
