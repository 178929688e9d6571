/**
 * Markdown of authors as markup for web pages: without HTML of its own, images, and links to other schemes. Loaded on first use.
 *
 * Parsing takes linear time. The parser alone takes quadratic time for some texts, such as 10,000 stars, so its work is counted.
 */
import { Lexer, Marked, type Token, Tokenizer } from "marked";
import { escapeHtml } from "./html.ts";

const LINK = /^(https?:\/\/|mailto:)/i;

const marked = new Marked({
  gfm: true,
  renderer: {
    html: ({ text }) => escapeHtml(text),
    image: ({ text }) => escapeHtml(text),
    link({ href, tokens }) {
      const text = this.parser.parseInline(tokens);
      return LINK.test(href)
        ? `<a href="${escapeHtml(href)}" rel="noopener noreferrer" target="_blank">${text}</a>`
        : text;
    },
    // Headings of a text stand below the title of its page.
    heading({ tokens, depth }) {
      const level = Math.min(depth + 1, 6);
      return `<h${level}>${this.parser.parseInline(tokens)}</h${level}>\n`;
    },
    checkbox: ({ checked }) => (checked ? "☑ " : "☐ "),
  },
});

/** Levels of lists and quotes within each other. */
const MAX_DEPTH = 20;
/** Characters that the rules for text may be given, for each character of the text. */
const WORK_PER_CHAR = 100;
const MIN_WORK = 200_000;

/** A text that takes too much work, or is nested too deeply, is shown as it is. */
export function markdownToHtml(text: string): string {
  try {
    return marked.parser(tokensOf(text));
  } catch (error) {
    if (error instanceof RangeError) return `<p>${escapeHtml(text)}</p>`;
    throw error;
  }
}

/** @throws RangeError for a text that takes too much work, or is nested too deeply */
function tokensOf(text: string): Token[] {
  let workLeft = Math.max(MIN_WORK, WORK_PER_CHAR * text.length);
  let depth = 0;
  const tokenizer = new Tokenizer(marked.defaults);
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
  return new Lexer({ ...marked.defaults, tokenizer }).lex(text);
}
