/** A cron expression in words. The library, and the language, are loaded with the first expression. */
import { useQuery } from "@tanstack/react-query";
import type { Language } from "../../../../src/web-pages/languages.ts";
import { ChunkError } from "../loading/load-chunk.ts";
import { useSettings } from "../settings/use-settings.ts";

const LANGUAGES: Readonly<Record<Exclude<Language, "en">, () => Promise<unknown>>> = {
  de: () => import("cronstrue/locales/de"),
  fr: () => import("cronstrue/locales/fr"),
  es: () => import("cronstrue/locales/es"),
  ja: () => import("cronstrue/locales/ja"),
  ar: () => import("cronstrue/locales/ar"),
};

async function wordsOf(cron: string, language: Language): Promise<string> {
  const { default: cronstrue } = await import("cronstrue");
  if (language !== "en") await LANGUAGES[language]();
  const { hour12 = false } = new Intl.DateTimeFormat(language, { hour: "numeric" }).resolvedOptions();
  return cronstrue.toString(cron, { locale: language, use24HourTimeFormat: !hour12 });
}

/** Null for what has no words: the server says what is wrong with an expression. */
export function useCronWords(cron: string | null): string | null {
  const { language } = useSettings();
  const { data } = useQuery({
    queryKey: ["cron-words", cron, language],
    queryFn: () =>
      wordsOf(cron ?? "", language).catch((error: unknown) => {
        if (error instanceof ChunkError) throw error;
        return null;
      }),
    enabled: cron !== null,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data ?? null;
}

export function CronWords({ cron }: { readonly cron: string }) {
  const words = useCronWords(cron);
  return words === null ? null : <span className="cron-words">{words}</span>;
}
