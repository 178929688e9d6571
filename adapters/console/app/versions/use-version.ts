/** Reads a version by its number, `latest` or `draft`. */
import { useQuery } from "@tanstack/react-query";
import { client } from "../server/client.ts";
import type { Compared } from "../texts/en/building/versions.ts";
import { useTexts } from "../texts/language.ts";

export const useVersion = (appId: string, workflowId: string, version: string) =>
  useQuery({
    queryKey: [appId, "workflows", workflowId, "versions", version],
    queryFn: ({ signal }) => client.with({ signal }).workflows.getVersion(appId, workflowId, version),
  });

/** What an address names: the number of a version, `latest` or `draft`. */
export const comparedOf = (version: string): Compared =>
  version === "latest" || version === "draft" ? version : Number(version);

/** What people call a version of an address. */
export function useVersionName() {
  const { versions: texts } = useTexts();
  return (version: string): string =>
    version === "draft" ? texts.draft : version === "latest" ? texts.latestVersion : texts.version(Number(version));
}
