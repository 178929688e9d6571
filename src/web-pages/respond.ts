/** Responses of addresses that are credentials: web pages for browsers, JSON for programs. */
import type { Document } from "./html.ts";

/** The URL is the credential, so nothing may cache it, index it, frame the page or send it as a referrer. */
export const PRIVATE_HEADERS = {
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-robots-tag": "noindex, nofollow",
  vary: "accept, accept-language",
} as const;

/** What a page may do beyond its own style and forms. */
export interface PagePolicy {
  /** Whether it has a script, which may send requests to the same origin and show previews of local images. */
  readonly hasScript: boolean;
}

/** @param more Headers that the status has, such as when to try again. */
export function pageResponse(
  html: Document,
  { hasScript }: PagePolicy,
  status = 200,
  more: Readonly<Record<string, string>> = {},
): Response {
  const nonce = crypto.randomUUID();
  const scripted = [`script-src 'nonce-${nonce}'`, "img-src blob:", "connect-src 'self'"];
  const policy = [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    ...(hasScript ? scripted : []),
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ];
  return new Response(html(nonce), {
    status,
    headers: {
      ...more,
      ...PRIVATE_HEADERS,
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": policy.join("; "),
      "cross-origin-opener-policy": "same-origin",
      "x-content-type-options": "nosniff",
    },
  });
}

/** Whether the client prefers HTML: accepts it by name, at least as much as JSON (RFC 9110 §12.5.1). */
export function prefersHtml(request: Request): boolean {
  const accept = request.headers.get("accept") ?? "";
  return weight(accept, "text/html") > 0 && weight(accept, "text/html") >= weight(accept, "application/json");
}

function weight(accept: string, type: string): number {
  for (const range of accept.toLowerCase().split(",")) {
    const [name = "", ...parameters] = range.split(";").map((part) => part.trim());
    if (name === type) return Number(parameters.find((part) => part.startsWith("q="))?.slice(2) ?? 1);
  }
  return 0;
}
