/** Responses of upload URLs: web pages for browsers, JSON for programs. */
import { isStepwellError, type StepwellError } from "../../errors.ts";
import type { File } from "../../files/file.ts";
import type { Document } from "../../web-pages/html.ts";
import { languageOf } from "../../web-pages/language.ts";
import { loadTexts, type PageTexts } from "../../web-pages/page-texts.ts";
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
  const texts = await loadTexts(languageOf(request));
  try {
    const { status, sender } = await find();
    if (status.status !== "open") return page(closedPage(`upload_${status.status}`, texts, sender));
    return page(await sendPage(status, texts, sender));
  } catch (error) {
    return refusal(error, texts, find);
  }
}

/** Responds to POST, including the form of the page when its script does not run. */
export async function respondToUpload(
  request: Request,
  receive: () => Promise<File>,
  find: () => Promise<FoundUpload>,
): Promise<Response> {
  if (!prefersHtml(request)) return Response.json(await receive(), { status: 201 });
  const texts = await loadTexts(languageOf(request));
  try {
    const file = await receive();
    return page(receivedPage(file, texts), 201);
  } catch (error) {
    return refusal(error, texts, find);
  }
}

const SCRIPTED = { hasScript: true };
const page = (document: Document, status = 200) => pageResponse(document, SCRIPTED, status);

/** Rethrows internal errors, so that the handler logs them. */
async function refusal(error: unknown, texts: PageTexts, find: () => Promise<FoundUpload>): Promise<Response> {
  if (!isStepwellError(error) || error.status >= 500) throw error;
  const { status, headers } = error;
  if (isClosed(error)) return pageResponse(closedPage(error.code, texts, null), SCRIPTED, status, headers);
  return pageResponse(await refusedPage(error.code, texts, await find()), SCRIPTED, status, headers);
}

function isClosed(error: StepwellError): error is StepwellError & { code: Parameters<typeof closedPage>[0] } {
  return error.code === "upload_used" || error.code === "upload_expired" || error.code === "not_found";
}
