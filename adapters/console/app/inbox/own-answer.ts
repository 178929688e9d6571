/**
 * The answer that this page has sent to an entry that waits no longer. Its response may have been lost: then, the request
 * is repeated, by the browser itself too, and the server refuses it as it refuses the one of somebody slower.
 */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { JsonObject } from "../../../../src/json.ts";
import { client } from "../server/client.ts";
import { isSameAnswer } from "./same-answer.ts";

interface Entry {
  readonly appId: string;
  readonly runId: string;
  readonly stepKey: string;
  /** Whether it waits no longer. */
  readonly isOver: boolean;
}

export function useOwnAnswer({ appId, runId, stepKey, isOver }: Entry) {
  const [sent, setSent] = useState<JsonObject | null>(null);
  const found = useQuery({
    queryKey: [appId, "inputs", runId, stepKey, "own"],
    queryFn: async ({ signal }) => {
      const { output } = await client.with({ signal }).runs.getStep(appId, runId, stepKey);
      return sent !== null && isSameAnswer(sent, output);
    },
    enabled: isOver && sent !== null,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  return {
    /** Called before an answer is sent, and with null if that was refused. */
    onTry: setSent,
    /** Whether that is not known yet. */
    isChecked: !(isOver && sent !== null) || !found.isPending,
    isOwn: found.data === true,
  };
}
