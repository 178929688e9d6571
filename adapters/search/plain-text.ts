/** Converts HTML to text by removing tags and decoding entities. */
import { Parser } from "htmlparser2";

export function plainText(html: string): string {
  let text = "";
  const parser = new Parser({
    ontext(piece) {
      text += piece;
    },
  });
  parser.end(html);
  return text.replace(/\s+/g, " ").trim();
}
