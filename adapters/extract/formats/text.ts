/** Plain text of any kind, including CSV, JSON and Markdown, unchanged. */
import { decoded } from "../encoding.ts";
import type { Format } from "../format-types.ts";

export const extractPlain: Format = async ({ bytes, mime_type }, { request, text }) => {
  if (request.text) text.verbatim(decoded(bytes, mime_type).replace(/\r\n?/g, "\n"));
};
