/** HTML: the visible text. */
import { decoded } from "../encoding.ts";
import type { Format } from "../format-types.ts";
import { writeHtml } from "../markup.ts";

export const extractHtml: Format = async ({ bytes, mime_type, url }, { request, text, budget }) => {
  if (!request.text) return;
  const html = decoded(bytes, mime_type);
  if (request.article !== true) return writeHtml(html, text, budget);
  const { articleOf } = await import("../article.ts");
  text.verbatim(articleOf(html, url));
};
