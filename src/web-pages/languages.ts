/** The languages of web pages. */
export const LANGUAGES = ["en", "de"] as const;
/** A language of web pages. */
export type Language = (typeof LANGUAGES)[number];
