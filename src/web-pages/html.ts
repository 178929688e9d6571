/** The frame of web pages. They load nothing from elsewhere. */
import { directionOf, type Language } from "./languages.ts";

/** Creates a document that needs a nonce for its style and script. */
export type Document = (nonce: string) => string;

export interface DocumentParts {
  readonly language: Language;
  readonly title: string;
  /** Markup of the body. */
  readonly body: string;
  readonly style: string;
  /** @default none */
  readonly script?: string | undefined;
}

export function documentOf({ language, title, body, style, script }: DocumentParts): Document {
  return (nonce) => `<!doctype html>
<html lang="${language}" dir="${directionOf(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<style nonce="${nonce}">${style}</style>
</head>
<body>
${body}
${script === undefined ? "" : `<script nonce="${nonce}">${script}</script>\n`}</body>
</html>
`;
}

/** The attributes of an element, with a space before each. Those that are undefined or false are left out. */
export function attributes(given: Readonly<Record<string, string | number | boolean | undefined>>): string {
  return Object.entries(given)
    .filter(([, value]) => value !== undefined && value !== false)
    .map(([name, value]) => (value === true ? ` ${name}` : ` ${name}="${escapeHtml(String(value))}"`))
    .join("");
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
