/** Loads formats. A format and its libraries are loaded with its first document. */
import type { FormatId } from "./format-registry.ts";
import type { Format } from "./format-types.ts";

export const FORMAT_LOADERS: Readonly<Record<FormatId, () => Promise<Format>>> = {
  pdf: async () => (await import("./formats/pdf.ts")).extractPdf,
  word: async () => (await import("./formats/word.ts")).extractWord,
  sheet: async () => (await import("./formats/sheet.ts")).extractSheets,
  slides: async () => (await import("./formats/slides.ts")).extractSlides,
  "open-document": async () => (await import("./formats/open-document.ts")).extractOpenDocument,
  html: async () => (await import("./formats/html.ts")).extractHtml,
  mail: async () => (await import("./formats/mail.ts")).extractMail,
  text: async () => (await import("./formats/text.ts")).extractPlain,
};
