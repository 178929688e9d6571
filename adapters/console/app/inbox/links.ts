/** The public links to a form, as the server lists them. */
import type { ListedInputLink } from "../../../../src/forms/waiting-input.ts";
import { omitUndefined } from "../../../../src/json.ts";
import { usePagedList } from "../elements/lists/paged-list.ts";
import { client } from "../server/client.ts";

/** An input step of a run. */
export interface StepAt {
  readonly appId: string;
  readonly runId: string;
  readonly stepKey: string;
}

/** The stream of the app does not name links: the answer is stored before its link is marked as used. */
export const linksKey = ({ appId, runId, stepKey }: StepAt) => [appId, "links", runId, stepKey];

export const useLinks = (at: StepAt) =>
  usePagedList<ListedInputLink>({
    queryKey: linksKey(at),
    read: (page_token, signal) =>
      client.with({ signal }).inputs.listLinks(at.appId, at.runId, at.stepKey, omitUndefined({ page_token })),
    isLive: true,
  });

/** Whether its form can be sent, now or later. */
export const isUsable = ({ state, used_at }: ListedInputLink) =>
  used_at === null && (state === "open" || state === "early");
