/** Responses of upload URLs: web pages for browsers, JSON for programs. */
import { ERRORS, isStepwellError, type StepwellError } from "../../errors.ts";
import type { File } from "../../files/file.ts";
import type { UploadStatus } from "../upload.ts";
import { closedPage, receivedPage, refusedPage, sendPage } from "./html.ts";

/** Responds to GET. */
export async function showUpload(request: Request, find: () => Promise<UploadStatus>): Promise<Response> {
  if (!prefersHtml(request)) return Response.json(await find(), { headers: HEADERS });
  try {
    const status = await find();
    if (status.status !== "open") return page(closedPage(`upload_${status.status}`));
    return page(await sendPage(status));
  } catch (error) {
    return refusal(error);
  }
}

/** Responds to POST, including the form of the page when its script does not run. */
export async function respondToUpload(request: Request, receive: () => Promise<File>): Promise<Response> {
  if (!prefersHtml(request)) return Response.json(await receive(), { status: 201 });
  try {
    const file = await receive();
    return page(receivedPage(file), 201);
  } catch (error) {
    return refusal(error);
  }
}

/** Rethrows internal errors, so that the handler logs them. */
function refusal(error: unknown): Response {
  if (!isStepwellError(error) || error.status >= 500) throw error;
  return page(isClosed(error) ? closedPage(error.code) : refusedPage(error), ERRORS[error.code].status);
}

function isClosed(error: StepwellError): error is StepwellError & { code: Parameters<typeof closedPage>[0] } {
  return error.code === "upload_used" || error.code === "upload_expired" || error.code === "not_found";
}

/** The URL is the credential, so nothing may cache it, index it, frame the page or send it as a referrer. */
const HEADERS = {
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-robots-tag": "noindex, nofollow",
  vary: "accept",
} as const;

function page(html: (nonce: string) => string, status = 200): Response {
  const nonce = crypto.randomUUID();
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    "img-src blob:", // previews of the selected file
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ];
  return new Response(html(nonce), {
    status,
    headers: {
      ...HEADERS,
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": policy.join("; "),
      "cross-origin-opener-policy": "same-origin",
      "x-content-type-options": "nosniff",
    },
  });
}

/** Whether the client prefers HTML: accepts it by name, at least as much as JSON (RFC 9110 §12.5.1). */
function prefersHtml(request: Request): boolean {
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
