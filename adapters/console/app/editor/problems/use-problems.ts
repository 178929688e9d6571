/** What would prevent a deployment, and what is probably wrong, asked half a second after the last change. */
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Definition } from "../../../../../src/workflows/version.ts";
import { useSettled } from "../../elements/use-settled.ts";
import { client } from "../../server/client.ts";
import { type Problem, problemsOf } from "../draft/problems.ts";
import type { DraftSession } from "../saving/draft-session.ts";

const PATIENCE_MS = 500;
const NONE: readonly Problem[] = [];

const numbers = new WeakMap<Definition, number>();
let lastNumber = 0;

/** Stands for a definition in a key, which is made at each drawing: a definition itself would be turned into text each time. */
function numberOf(definition: Definition): number {
  const number = numbers.get(definition) ?? ++lastNumber;
  numbers.set(definition, number);
  return number;
}

export interface Problems {
  readonly list: readonly Problem[];
  /** Probable mistakes that prevent no deployment. */
  readonly warnings: readonly Problem[];
  readonly isTruncated: boolean;
  /** Whether they are those of the draft as it is now. */
  readonly areCurrent: boolean;
}

export function useProblems({ appId, workflowId }: DraftSession, present: Definition): Problems {
  const settled = useSettled(present, PATIENCE_MS);
  const found = useQuery({
    queryKey: [appId, "workflows", workflowId, "problems", numberOf(settled)],
    queryFn: async ({ signal }) => {
      const found = await client.with({ signal }).workflows.validate(appId, workflowId, settled);
      return {
        list: problemsOf(settled, found.errors),
        warnings: problemsOf(settled, found.warnings ?? []),
        isTruncated: found.errors_truncated === true,
      };
    },
    placeholderData: (before) => before,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  const areCurrent = settled === present && !found.isPlaceholderData && found.data !== undefined;
  const { list = NONE, warnings = NONE } = found.data ?? {};
  const isTruncated = found.data?.isTruncated === true;
  return useMemo(() => ({ list, warnings, isTruncated, areCurrent }), [list, warnings, isTruncated, areCurrent]);
}
