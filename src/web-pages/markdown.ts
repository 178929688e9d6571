/**
 * Markdown of authors as markup for web pages: without HTML of its own, images, and links to other schemes. Loaded on first use.
 */
import { Marked } from "marked";
import { escapeHtml } from "./html.ts";
import { isMarkdownLink, markdownTokens } from "./markdown-tokens.ts";

const marked = new Marked({
  gfm: true,
  renderer: {
    html: ({ text }) => escapeHtml(text),
    image: ({ text }) => escapeHtml(text),
    link({ href, tokens }) {
      const text = this.parser.parseInline(tokens);
      return isMarkdownLink(href)
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

/** A text that takes too much work, or is nested too deeply, is shown as it is. */
export function markdownToHtml(text: string): string {
  try {
    return marked.parser(markdownTokens(text));
  } catch (error) {
    if (error instanceof RangeError) return `<p>${escapeHtml(text)}</p>`;
    throw error;
  }
}
