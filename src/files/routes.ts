import * as v from "valibot";
import { onlyPublic } from "../caller.ts";
import { createdAt, nothing, one, pageOf, rawRoute, route } from "../http/route.ts";
import { pageQuery, searchQuery } from "../page.ts";
import { strictObject } from "../schema.ts";
import { download } from "./download.ts";
import { evenly } from "./even-answers.ts";
import { File, FileUpdate } from "./file.ts";
import { FileLink, FileLinkCreate } from "./file-links.ts";
import { receiveRequest } from "./receive.ts";
import { answerTus, speaksTus, TUS_DISCOVERY } from "./tus.ts";
import { MediaTypePattern, Upload, UploadCreate } from "./upload.ts";
import { answerUpload, showUpload } from "./upload-page/page.ts";

const ListQuery = strictObject({ ...pageQuery, ...searchQuery, type: v.optional(MediaTypePattern) });
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
    discovery: TUS_DISCOVERY,
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

export const fileRoutes = {
  list: route({
    method: "GET",
    path: "/apps/{app_id}/files",
    access: "public",
    scope: "files:read",
    summary: "List the files of an app, newest first; without a key, those that are PUBLIC.",
    query: ListQuery,
    answers: pageOf(File),
    run: ({ files }, { params, query, caller }) => files.list(params.app_id, query, onlyPublic(caller)),
  }),
  get: route({
    method: "GET",
    path: "/apps/{app_id}/files/{file_id}",
    access: "public",
    scope: "files:read",
    summary: "Read what is known of a file.",
    answers: one(File),
    run: ({ files }, { params, caller }) => files.get(params.app_id, params.file_id, onlyPublic(caller)),
  }),
  update: route({
    method: "PATCH",
    path: "/apps/{app_id}/files/{file_id}",
    access: "app",
    scope: "files:write",
    summary: "Rename a file, change who may see it, or when it goes away by itself.",
    body: FileUpdate,
    answers: one(File),
    run: ({ files }, { params, body }) => files.update(params.app_id, params.file_id, body),
  }),
  remove: route({
    method: "DELETE",
    path: "/apps/{app_id}/files/{file_id}",
    access: "app",
    scope: "files:write",
    summary: "Remove a file and its bytes.",
    answers: nothing(),
    run: ({ files }, { params }) => files.remove(params.app_id, params.file_id),
  }),
  createLink: route({
    method: "POST",
    path: "/apps/{app_id}/files/{file_id}/links",
    access: "app",
    scope: "files:read",
    summary: "Make an address that gives the bytes of a file for a while to whoever has it, without a key.",
    body: FileLinkCreate,
    answers: createdAt(FileLink, ({ url }) => url.slice(url.indexOf("/public/"))),
    run: ({ fileLinks }, { params, body }) => fileLinks.create(params.app_id, params.file_id, body),
  }),
  followLink: rawRoute({
    method: "GET",
    path: "/public/apps/files/{file_id}/content",
    access: "open",
    summary: "The bytes of a file, by a link that was made for it.",
    async respond({ files, fileLinks }, request, { params }) {
      const appId = await fileLinks.open(params.file_id, new URL(request.url).searchParams);
      const file = await files.get(appId, params.file_id, false);
      return download(request, file, (range) => files.content(appId, file.id, range));
    },
  }),
  download: rawRoute({
    method: "GET",
    path: "/apps/{app_id}/files/{file_id}/content",
    access: "public",
    scope: "files:read",
    summary: "The bytes of a file, whole or a range of them.",
    async respond({ files }, request, { params, caller }) {
      const file = await files.get(params.app_id, params.file_id, onlyPublic(caller));
      return download(request, file, (range) => files.content(params.app_id, file.id, range));
    },
  }),
};
