/** The text of a piece of HTML: what its tags stand around, its entities as characters. */
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
