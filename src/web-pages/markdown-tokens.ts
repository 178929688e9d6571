/**
 * Markdown of authors as tokens. Parsing takes linear time. The parser alone takes quadratic time for some texts, such as
 * 10,000 stars, so its work is counted.
 */
import { getDefaults, Lexer, type Token, Tokenizer } from "marked";

const LINK = /^(https?:\/\/|mailto:)/i;

/** Whether a text may link to an address. */
export const isMarkdownLink = (href: string): boolean => LINK.test(href);

/** Levels of lists and quotes within each other. */
const MAX_DEPTH = 20;
/** Characters that the rules for text may be given, for each character of the text. */
const WORK_PER_CHAR = 100;
const MIN_WORK = 200_000;

const defaults = { ...getDefaults(), gfm: true };

/** @throws RangeError for a text that takes too much work, or is nested too deeply */
export function markdownTokens(text: string): Token[] {
  let workLeft = Math.max(MIN_WORK, WORK_PER_CHAR * text.length);
  let depth = 0;
  const tokenizer = new Tokenizer(defaults);
  const { escape: escaped, list, blockquote } = tokenizer;

  function nested<Found>(read: () => Found): Found {
    if (++depth > MAX_DEPTH) throw new RangeError("The text is nested too deeply.");
    try {
      return read();
    } finally {
      depth--;
    }
  }

  // The first rule that the parser tries at each position of a paragraph, with the rest of the paragraph.
  tokenizer.escape = (src) => {
    workLeft -= src.length;
    if (workLeft < 0) throw new RangeError("The text takes too much work to parse.");
    return escaped.call(tokenizer, src);
  };
  tokenizer.list = (src) => nested(() => list.call(tokenizer, src));
  tokenizer.blockquote = (src) => nested(() => blockquote.call(tokenizer, src));
  return new Lexer({ ...defaults, tokenizer }).lex(text);
}
