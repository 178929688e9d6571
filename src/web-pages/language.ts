/** Which language of web pages a browser prefers. */

import { LANGUAGES, type Language } from "./languages.ts";

const MAX_RANGES = 20;

/** The first language of the browser that web pages have (RFC 9110 §12.5.4), else English. */
export function languageOf(request: Request): Language {
  const ranges = (request.headers.get("accept-language") ?? "").split(",").slice(0, MAX_RANGES);
  const wanted = ranges
    .map((range) => {
      const [tag = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
      const quality = Number(parameters.find((part) => part.startsWith("q="))?.slice(2) ?? 1);
      return { language: tag.split("-")[0] ?? "", quality: Number.isNaN(quality) ? 0 : quality };
    })
    .filter(({ quality }) => quality > 0)
    .sort((one, other) => other.quality - one.quality);
  for (const { language } of wanted) {
    const found = LANGUAGES.find((known) => known === language);
    if (found !== undefined) return found;
  }
  return "en";
}
