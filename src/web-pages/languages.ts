/** The languages of web pages: those of forms and uploads, and the console. */
export const LANGUAGES = ["en", "de", "fr", "es", "ja", "ar"] as const;
/** A language of web pages. */
export type Language = (typeof LANGUAGES)[number];

/** Languages that are written from right to left. */
const RIGHT_TO_LEFT: ReadonlySet<string> = new Set(["ar"]);

export const directionOf = (language: Language): "ltr" | "rtl" => (RIGHT_TO_LEFT.has(language) ? "rtl" : "ltr");

/** The tag (BCP 47) for the formats of Intl. Arabic has Latin digits, as in ids, code, JSON and the fields of forms. */
export const localeOf = (language: Language): string => (language === "ar" ? "ar-u-nu-latn" : language);
