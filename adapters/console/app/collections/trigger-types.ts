/** The types of triggers that the server knows. They do not change while a page is open. */
import { queryOptions } from "@tanstack/react-query";
import { client } from "../server/client.ts";

export const triggerTypes = (appId: string) =>
  queryOptions({
    queryKey: [appId, "trigger-types"],
    queryFn: ({ signal }) => client.with({ signal }).triggerTypes.list(),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
