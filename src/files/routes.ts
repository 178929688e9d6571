import * as v from "valibot";
import { onlyPublic } from "../calls/caller.ts";
import { pageQuery, searchQuery, tokenQuery } from "../documents/pagination.ts";
import { createdAt, nothing, one, pageOf, rawRoute, route } from "../http/route.ts";
import { strictObject } from "../schema.ts";
import { download } from "./download.ts";
import { File, FileUpdate } from "./file.ts";
import { FileLink, FileLinkCreate, FileLinkQuery, type FileLinks } from "./file-links.ts";
import type { Files } from "./files.ts";
import { MediaTypePattern } from "./media-type.ts";

export interface Slices {
  readonly files: Files;
  readonly fileLinks: FileLinks;
}

const ListQuery = strictObject({ ...pageQuery, ...tokenQuery, ...searchQuery, type: v.optional(MediaTypePattern) });

const bytes = (...headers: string[]) => ({ headers, body: { "*/*": null } });
const DOWNLOAD_HEADERS = ["ETag", "Last-Modified", "Accept-Ranges", "Content-Disposition"];
const described = {
  request: { headers: ["Range", "If-Range", "If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since"] },
  answers: {
    200: bytes(...DOWNLOAD_HEADERS),
    206: bytes(...DOWNLOAD_HEADERS, "Content-Range"),
    304: { headers: DOWNLOAD_HEADERS },
  },
} as const;

export const fileRoutes = {
  list: route({
    method: "GET",
    path: "/apps/{app_id}/files",
    access: "public",
    scope: "files:read",
    summary: "List the files of an app, newest first. Without a key, only PUBLIC files.",
    query: ListQuery,
    answers: pageOf(File),
    run: ({ files }: Slices, { params, query, caller }) => files.list(params.app_id, query, onlyPublic(caller)),
  }),
  get: route({
    method: "GET",
    path: "/apps/{app_id}/files/{file_id}",
    access: "public",
    scope: "files:read",
    summary: "Get the metadata of a file.",
    answers: one(File),
    run: ({ files }: Slices, { params, caller }) => files.get(params.app_id, params.file_id, onlyPublic(caller)),
  }),
  update: route({
    method: "PATCH",
    path: "/apps/{app_id}/files/{file_id}",
    access: "app",
    scope: "files:write",
    summary: "Update the name, visibility or expiry of a file.",
    body: FileUpdate,
    answers: one(File),
    run: ({ files }: Slices, { params, body }) => files.update(params.app_id, params.file_id, body),
  }),
  remove: route({
    method: "DELETE",
    path: "/apps/{app_id}/files/{file_id}",
    access: "app",
    scope: "files:write",
    summary: "Delete a file and its bytes.",
    answers: nothing(),
    run: ({ files }: Slices, { params }) => files.remove(params.app_id, params.file_id),
  }),
  createLink: route({
    method: "POST",
    path: "/apps/{app_id}/files/{file_id}/links",
    access: "app",
    scope: "files:read",
    summary: "Create a temporary link that downloads a file without an API key.",
    body: FileLinkCreate,
    answers: createdAt(FileLink, ({ url }) => url.slice(url.indexOf("/public/"))),
    run: ({ fileLinks }: Slices, { params, body, receipt }) =>
      fileLinks.create(params.app_id, params.file_id, body, receipt),
  }),
  followLink: rawRoute({
    method: "GET",
    path: "/public/apps/files/{file_id}/content",
    access: "open",
    summary: "Download a file through a temporary link. Supports range requests.",
    described: { ...described, request: { ...described.request, query: FileLinkQuery } },
    async respond({ files, fileLinks }: Slices, request, { params }) {
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
    summary: "Download a file. Supports range requests.",
    described,
    async respond({ files }: Slices, request, { params, caller }) {
      const file = await files.get(params.app_id, params.file_id, onlyPublic(caller));
      return download(request, file, (range) => files.content(params.app_id, file.id, range));
    },
  }),
};
