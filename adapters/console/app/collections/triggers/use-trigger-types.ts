/** The types of triggers that the server knows, in the language of the page. They do not change while a page is open. */
import { useQuery } from "@tanstack/react-query";
import { loadTranslated } from "../../built-ins/load-translated.ts";
import { translatedTriggerType } from "../../built-ins/translate.ts";
import { client } from "../../server/client.ts";
import { useSettings } from "../../settings/use-settings.ts";

export function useTriggerTypes(appId: string) {
  const { language } = useSettings();
  return useQuery({
    queryKey: [appId, "trigger-types", language],
    queryFn: ({ signal }) =>
      loadTranslated(() => client.with({ signal }).triggerTypes.list(), translatedTriggerType, { language, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
}
