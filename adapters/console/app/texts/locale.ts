/** How numbers and moments are written in each language of the page. */
import type { Language } from "../settings/settings.ts";

/** The tag (BCP 47) for the formats of Intl. Arabic has Latin digits, as in the ids, the code and the JSON beside them. */
export const localeOf = (language: Language): string => (language === "ar" ? "ar-u-nu-latn" : language);
