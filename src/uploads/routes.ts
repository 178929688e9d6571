/** The routes of upload URLs. https://tus.io/protocols/resumable-upload */
import { StepwellError } from "../errors.ts";
import { File } from "../files/file.ts";
import { createdAt, rawRoute, route } from "../http/route.ts";
import { respondToUpload, showUpload } from "./page/page.ts";
import { receiveRequest } from "./receive-request.ts";
import type { ResumableUploads } from "./resumable/resumable-uploads.ts";
import { CHUNK_TYPE, handleTus, isTusRequest, tusDiscovery } from "./resumable/tus.ts";
import { Upload, UploadCreate, UploadForm, UploadFromUrl, UploadStatus } from "./upload.ts";
import type { Uploads } from "./uploads.ts";

export interface Slices {
  readonly uploads: Uploads;
  readonly resumable: ResumableUploads;
}

const PATH = "/public/apps/files/uploads/{upload_id}";
const TUS_PROGRESS = ["Tus-Resumable", "Upload-Offset", "Upload-Length", "Upload-Metadata", "Upload-Expires"];
/** Longer than a lookup. Slower responses take a multiple of it. */
const STEP_MS = 20;
/** Statuses of upload URLs that do not exist, were used, or have expired. */
const CLOSED_STATUSES: ReadonlySet<number> = new Set([404, 409, 410]);

export const uploadRoutes = {
  create: route({
    method: "POST",
    path: "/apps/{app_id}/files/uploads",
    access: "app",
    scope: "files:write",
    summary: "Create an upload URL, through which an end user uploads one file without an API key.",
    body: UploadCreate,
    answers: createdAt(Upload, ({ upload_url }) => PATH.replace("{upload_id}", upload_url.split("/").at(-1) ?? "")),
    run: ({ uploads }: Slices, { params, body, receipt }) => uploads.create(params.app_id, body, receipt),
  }),
  receive: rawRoute({
    method: "POST",
    path: PATH,
    access: "open",
    summary:
      "Upload the file as multipart/form-data (one part named `file`), as JSON with `file_url`, or create a resumable upload (tus 1.0.0).",
    described: {
      request: {
        headers: [
          "Tus-Resumable",
          "Upload-Length",
          "Upload-Defer-Length",
          "Upload-Metadata",
          "Upload-Checksum",
          "Prefer",
        ],
        body: { "multipart/form-data": UploadForm, "application/json": UploadFromUrl, [CHUNK_TYPE]: null },
      },
      answers: {
        201: {
          meaning:
            "The file. A resumable upload has no body, unless `Prefer: return=representation` is sent and the upload is complete.",
          headers: ["Location", ...TUS_PROGRESS],
          body: { "application/json": File, "text/html": null },
        },
      },
    },
    respond: withConstantTiming(({ uploads, resumable }: Slices, request, { params, bytes }) =>
      isTusRequest(request)
        ? handleTus(resumable, params.upload_id, request, bytes)
        : respondToUpload(
            request,
            () => receiveRequest(uploads, params.upload_id, request, bytes()),
            () => uploads.show(params.upload_id),
          ),
    ),
  }),
  append: rawRoute({
    method: "PATCH",
    path: PATH,
    access: "open",
    summary: "Append a chunk to a resumable upload (tus 1.0.0).",
    described: {
      request: {
        headers: ["Tus-Resumable", "Upload-Offset", "Upload-Length", "Upload-Checksum", "Prefer"],
        body: { [CHUNK_TYPE]: null },
      },
      answers: {
        200: {
          meaning: "The file, if it is complete and `Prefer: return=representation` is sent.",
          headers: TUS_PROGRESS,
          body: { "application/json": File },
        },
        204: { headers: TUS_PROGRESS },
      },
    },
    discovery: ({ uploads }: Slices) => tusDiscovery(uploads.maxSize),
    respond: withConstantTiming(({ resumable }: Slices, request, { params, bytes }) =>
      handleTus(resumable, params.upload_id, request, bytes),
    ),
  }),
  terminate: rawRoute({
    method: "DELETE",
    path: PATH,
    access: "open",
    summary: "Terminate a resumable upload (tus 1.0.0). The upload URL accepts a file again.",
    described: { request: { headers: ["Tus-Resumable"] }, answers: { 204: { headers: ["Tus-Resumable"] } } },
    respond: withConstantTiming(({ resumable }: Slices, request, { params, bytes }) =>
      handleTus(resumable, params.upload_id, request, bytes),
    ),
  }),
  show: rawRoute({
    method: "GET",
    path: PATH,
    access: "open",
    summary:
      "Get the upload page (HTML), the state and limits of the upload URL (JSON), or the offset of a resumable upload (tus 1.0.0).",
    described: {
      request: { headers: ["Tus-Resumable"] },
      answers: {
        200: {
          headers: [...TUS_PROGRESS, "Content-Location"],
          body: { "application/json": UploadStatus, "text/html": null },
        },
      },
    },
    respond: withConstantTiming(({ uploads, resumable }: Slices, request, { params, bytes }) =>
      request.method === "HEAD" && isTusRequest(request)
        ? handleTus(resumable, params.upload_id, request, bytes)
        : showUpload(request, () => uploads.show(params.upload_id)),
    ),
  }),
};

/**
 * Makes responses that reveal whether an upload URL exists take constant time, so that timing reveals nothing to clients
 * that guess URLs. Does not delay those to a client that uploads to an open one.
 */
function withConstantTiming<Slices, Call>(
  respond: (slices: Slices, request: Request, call: Call) => Promise<Response>,
): (slices: Slices, request: Request, call: Call) => Promise<Response> {
  return async (slices, request, call) => {
    const start = performance.now();
    const isQuery = request.method === "GET";
    try {
      const response = await respond(slices, request, call);
      if (isQuery || CLOSED_STATUSES.has(response.status)) await nextStep(start);
      return response;
    } catch (error) {
      if (error instanceof StepwellError && CLOSED_STATUSES.has(error.status)) await nextStep(start);
      throw error;
    }
  };
}

/** Uses a timer of the runtime: timers of the clock port would let the process exit while a client waits. */
function nextStep(start: number): Promise<void> {
  const passed = performance.now() - start;
  return new Promise((resolve) => setTimeout(resolve, STEP_MS - (passed % STEP_MS)));
}
