/**
 * Tokens of Markdown as React elements: nothing of a text is ever parsed as HTML. Images are left out, and links lead to
 * http:, https: and mailto: only.
 */
import type { Token, Tokens } from "marked";
import { createElement, Fragment, type ReactNode, useMemo } from "react";
import { isMarkdownLink, markdownTokens } from "../../../../src/web-pages/markdown-tokens.ts";

export default function MarkdownElements({ text }: { readonly text: string }) {
  return useMemo(() => elementsOf(text), [text]);
}

/** A text that takes too much work, or is nested too deeply, is shown as it is. */
function elementsOf(text: string): ReactNode {
  try {
    return all(markdownTokens(text));
  } catch (error) {
    if (error instanceof RangeError) return <p className="plain">{text}</p>;
    throw error;
  }
}

const all = (tokens: readonly Token[] | undefined): ReactNode =>
  tokens?.map((token, index) => <Fragment key={`${index} ${token.type}`}>{elementOf(token)}</Fragment>);

function elementOf(given: Token): ReactNode {
  const token = given as MarkdownToken; // there are no extensions
  switch (token.type) {
    case "paragraph":
      return <p>{all(token.tokens)}</p>;
    case "heading":
      // Headings of a text stand below the title of its page.
      return createElement(`h${Math.min(token.depth + 1, 6)}`, null, all(token.tokens));
    case "strong":
      return <strong>{all(token.tokens)}</strong>;
    case "em":
      return <em>{all(token.tokens)}</em>;
    case "del":
      return <del>{all(token.tokens)}</del>;
    case "link":
      return isMarkdownLink(token.href) ? (
        <a href={token.href} target="_blank" rel="noopener noreferrer nofollow">
          {all(token.tokens)}
        </a>
      ) : (
        all(token.tokens)
      );
    case "codespan":
      return <code>{token.text}</code>;
    case "code":
      return (
        <pre>
          <code>{token.text}</code>
        </pre>
      );
    case "blockquote":
      return <blockquote>{all(token.tokens)}</blockquote>;
    case "hr":
      return <hr />;
    case "br":
      return <br />;
    case "list":
      return listOf(token);
    case "table":
      return tableOf(token);
    case "text":
      return token.tokens === undefined ? unescaped(token) : all(token.tokens);
    case "escape":
    case "image":
    case "html":
      return token.text;
    case "checkbox":
      return token.checked ? "☑ " : "☐ ";
    case "space":
    case "def":
      return null;
  }
}

type MarkdownToken =
  | Tokens.Paragraph
  | Tokens.Heading
  | Tokens.Strong
  | Tokens.Em
  | Tokens.Del
  | Tokens.Link
  | Tokens.Codespan
  | Tokens.Code
  | Tokens.Blockquote
  | Tokens.Hr
  | Tokens.Br
  | Tokens.List
  | Tokens.Table
  | Tokens.Text
  | Tokens.Escape
  | Tokens.Image
  | Tokens.HTML
  | Tokens.Checkbox
  | Tokens.Space
  | Tokens.Def;

const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: "\u00a0" };

/** The parser leaves references to characters as they are, because HTML would show them. */
function unescaped({ text }: Tokens.Text): string {
  return text.replaceAll(/&(amp|lt|gt|quot|apos|nbsp|#\d{1,6});/g, (whole, name: string) => {
    const code = name.startsWith("#") ? Number(name.slice(1)) : null;
    return code === null ? (NAMED[name] ?? whole) : String.fromCodePoint(code);
  });
}

function listOf({ ordered, start, items }: Tokens.List): ReactNode {
  const rows = items.map((item, index) => <li key={`${index} ${item.type}`}>{all(item.tokens)}</li>);
  return ordered ? <ol start={start === "" ? 1 : start}>{rows}</ol> : <ul>{rows}</ul>;
}

function tableOf({ header, rows }: Tokens.Table): ReactNode {
  const cells = (row: readonly Tokens.TableCell[], Cell: "th" | "td") =>
    row.map(({ tokens }, index) => (
      <Cell key={`${index} ${Cell}`} scope={Cell === "th" ? "col" : undefined}>
        {all(tokens)}
      </Cell>
    ));
  return (
    <table>
      <thead>
        <tr>{cells(header, "th")}</tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr key={`${index} row`}>{cells(row, "td")}</tr>
        ))}
      </tbody>
    </table>
  );
}
