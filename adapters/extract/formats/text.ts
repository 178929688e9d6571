/** Plain text of any kind, CSV, JSON and Markdown among it: as it stands. */
import { decoded } from "../encoding.ts";
import type { Format } from "../format-types.ts";

export const extractPlain: Format = async ({ bytes, mime_type }, { wanted, text }) => {
  if (wanted.text) text.verbatim(decoded(bytes, mime_type).replace(/\r\n?/g, "\n"));
};
