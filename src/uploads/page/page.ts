/** Responses of upload URLs: web pages for browsers, JSON for programs. */
import { ERRORS, isStepwellError, type StepwellError } from "../../errors.ts";
import type { File } from "../../files/file.ts";
import type { Document } from "../../web-pages/html.ts";
import { languageOf } from "../../web-pages/language.ts";
import { PRIVATE_HEADERS, pageResponse, prefersHtml } from "../../web-pages/respond.ts";
import type { UploadStatus } from "../upload.ts";
import type { UploadSender } from "../uploads.ts";
import { closedPage, receivedPage, refusedPage, sendPage } from "./html.ts";

/** What an upload URL leads to. */
export interface FoundUpload {
  readonly status: UploadStatus;
  readonly sender: UploadSender;
}

/** Responds to GET. */
export async function showUpload(request: Request, find: () => Promise<FoundUpload>): Promise<Response> {
  if (!prefersHtml(request)) return Response.json((await find()).status, { headers: PRIVATE_HEADERS });
  const language = languageOf(request);
  try {
    const { status, sender } = await find();
    if (status.status !== "open") return page(closedPage(`upload_${status.status}`, language, sender));
    return page(await sendPage(status, language, sender));
  } catch (error) {
    return refusal(error, request);
  }
}

/** Responds to POST, including the form of the page when its script does not run. */
export async function respondToUpload(request: Request, receive: () => Promise<File>): Promise<Response> {
  if (!prefersHtml(request)) return Response.json(await receive(), { status: 201 });
  try {
    const file = await receive();
    return page(receivedPage(file, languageOf(request)), 201);
  } catch (error) {
    return refusal(error, request);
  }
}

const page = (document: Document, status = 200) => pageResponse(document, { hasScript: true }, status);

/** Rethrows internal errors, so that the handler logs them. */
function refusal(error: unknown, request: Request): Response {
  if (!isStepwellError(error) || error.status >= 500) throw error;
  const language = languageOf(request);
  const document = isClosed(error) ? closedPage(error.code, language, null) : refusedPage(error, language);
  return page(document, ERRORS[error.code].status);
}

function isClosed(error: StepwellError): error is StepwellError & { code: Parameters<typeof closedPage>[0] } {
  return error.code === "upload_used" || error.code === "upload_expired" || error.code === "not_found";
}
