/** Reads a version by its number, `latest` or `draft`. */
import { useQuery } from "@tanstack/react-query";
import { client } from "../server/client.ts";
import { useTexts } from "../texts/language.ts";

export const useVersion = (appId: string, workflowId: string, version: string) =>
  useQuery({
    queryKey: [appId, "workflows", workflowId, "versions", version],
    queryFn: ({ signal }) => client.with({ signal }).workflows.getVersion(appId, workflowId, version),
  });

/** What people call a version of an address. */
export function useVersionName() {
  const { versions: texts } = useTexts();
  return (version: string): string =>
    version === "draft" ? texts.draft : version === "latest" ? texts.latest : texts.version(Number(version));
}
