/** Which language of web pages a browser prefers. */

import { LANGUAGES, type Language } from "./languages.ts";

/** Ranges that count. Browsers send one or two for each language of their user. */
const MAX_RANGES = 20;
const ANY = "*";

interface Range {
  /** Without region and script, because pages have one text for all of them. */
  readonly language: string;
  /** From 0, which refuses the language, to 1. */
  readonly quality: number;
}

/** The language that the browser likes most of those that web pages have (RFC 9110 §12.5.4), else English. */
export function languageOf(request: Request): Language {
  const ranges = (request.headers.get("accept-language") ?? "").split(",", MAX_RANGES).map(rangeOf);
  const named = new Set(ranges.map(({ language }) => language));
  const wanted = ranges.filter(({ quality }) => quality > 0).sort((one, other) => other.quality - one.quality);
  for (const { language } of wanted) {
    const found = LANGUAGES.find((known) => (language === ANY ? !named.has(known) : known === language));
    if (found !== undefined) return found;
  }
  return "en";
}

function rangeOf(text: string): Range {
  const [tag = "", ...parameters] = text.split(";").map((part) => part.trim().toLowerCase());
  const quality = Number(parameters.find((part) => part.startsWith("q="))?.slice(2) ?? 1);
  // A weight that cannot be read says nothing, so the range does not count.
  return { language: tag.split("-", 1)[0] ?? "", quality: quality >= 0 && quality <= 1 ? quality : 0 };
}
