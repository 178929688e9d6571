/** The rows of upload addresses. https://tus.io/protocols/resumable-upload */
import { createdAt, rawRoute, route } from "../http/route.ts";
import { evenly } from "./constant-time.ts";
import { answerUpload, showUpload } from "./page/page.ts";
import { receiveRequest } from "./receive-request.ts";
import { answerTus, speaksTus, tusDiscovery } from "./resumable/tus.ts";
import { Upload, UploadCreate } from "./upload.ts";

const ADDRESS = "/public/apps/files/uploads/{upload_id}";

export const uploadRoutes = {
  create: route({
    method: "POST",
    path: "/apps/{app_id}/files/uploads",
    access: "app",
    scope: "files:write",
    summary: "Make an address that takes one file from whoever has it, without a key.",
    body: UploadCreate,
    answers: createdAt(Upload, ({ upload_url }) => ADDRESS.replace("{upload_id}", upload_url.split("/").at(-1) ?? "")),
    run: ({ uploads }, { params, body, receipt }) => uploads.create(params.app_id, body, receipt),
  }),
  receive: rawRoute({
    method: "POST",
    path: ADDRESS,
    access: "open",
    summary: "Send the file: multipart/form-data with one part named file, or JSON with file_url; or begin by tus.",
    respond: evenly(({ uploads, resumable }, request, { params, bytes }) =>
      speaksTus(request)
        ? answerTus(resumable, params.upload_id, request, bytes)
        : answerUpload(request, () => receiveRequest(uploads, params.upload_id, request, bytes())),
    ),
  }),
  append: rawRoute({
    method: "PATCH",
    path: ADDRESS,
    access: "open",
    summary: "Send the next part of the file, by tus 1.0.0.",
    discovery: ({ uploads }) => tusDiscovery(uploads.maxSize),
    respond: evenly(({ resumable }, request, { params, bytes }) =>
      answerTus(resumable, params.upload_id, request, bytes),
    ),
  }),
  giveUp: rawRoute({
    method: "DELETE",
    path: ADDRESS,
    access: "open",
    summary: "Give up what was sent in parts, by tus 1.0.0; the address is open again.",
    respond: evenly(({ resumable }, request, { params, bytes }) =>
      answerTus(resumable, params.upload_id, request, bytes),
    ),
  }),
  show: rawRoute({
    method: "GET",
    path: ADDRESS,
    access: "open",
    summary:
      "A page to upload with; for programs, what the address takes and whether it is open; by tus, how far an upload is.",
    respond: evenly(({ uploads, resumable }, request, { params, bytes }) =>
      request.method === "HEAD" && speaksTus(request)
        ? answerTus(resumable, params.upload_id, request, bytes)
        : showUpload(request, () => uploads.status(params.upload_id)),
    ),
  }),
};
