/** HTML: what a reader sees of it. */
import { decoded } from "../encoding.ts";
import type { Format } from "../format.ts";
import { writeHtml } from "../markup.ts";

export const extractHtml: Format = async ({ bytes, mime_type }, { wanted, text, budget }) => {
  if (wanted.text) writeHtml(decoded(bytes, mime_type), text, budget);
};
