/** What an upload address shows to whoever opens it: a page for people, the facts as JSON for programs. */
import type { UploadStatus } from "./upload.ts";
import { pageHtml } from "./upload-page-html.ts";

export function showUpload(request: Request, status: UploadStatus): Response {
  const headers = { "cache-control": "no-store", "referrer-policy": "no-referrer", vary: "accept" };
  if (!(request.headers.get("accept") ?? "").includes("text/html")) return Response.json(status, { headers });
  const nonce = crypto.randomUUID();
  return new Response(pageHtml(status, nonce), {
    headers: {
      ...headers,
      "content-type": "text/html; charset=utf-8",
      "content-security-policy":
        `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; connect-src 'self'; ` +
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
      "x-content-type-options": "nosniff",
    },
  });
}
