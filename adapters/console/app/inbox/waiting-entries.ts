/** What waits for people: one entry for each input step. */
import { useMemo } from "react";
import type { WaitingInput, WaitingRun } from "../../../../src/forms/waiting-input.ts";
import { omitUndefined } from "../../../../src/json.ts";
import { usePagedList } from "../elements/lists/paged-list.ts";
import { client } from "../server/client.ts";

export interface WaitingEntry {
  readonly run: WaitingRun;
  readonly input: WaitingInput;
}

/** The list, longest-waiting first, and its entries. */
export function useInbox(appId: string) {
  const list = usePagedList<WaitingRun>({
    queryKey: [appId, "inputs", "list"],
    read: (page_token, signal) => client.with({ signal }).inputs.list(appId, omitUndefined({ page_token })),
    isLive: true,
  });
  const { items } = list;
  const entries = useMemo(() => items.flatMap((run) => run.inputs.map((input) => ({ run, input }))), [items]);
  return { list, entries };
}

/** Where an entry is filled in. */
export const pathOf = (appId: string, { run, input }: WaitingEntry): string =>
  `/apps/${appId}/inbox/${run.run_id}/${encodeURIComponent(input.step_key)}`;
