/** Files: lists, contents, changes and deletion. uploads.ts creates them. */

import { listPage, marksOf, type PageQuery, rowIds, type Update, updateDocument } from "../documents/documents.ts";
import { foldText, type Page } from "../documents/pagination.ts";
import { notFound } from "../errors.ts";
import { omitUndefined } from "../json.ts";
import { invalid } from "../messages/field-errors.ts";
import type { Blobs } from "../ports/blobs.ts";
import type { Clock } from "../ports/clock.ts";
import type { Change, Key, ListQuery, Row, RowChange, Store, Stored } from "../ports/store.ts";
import { instant } from "../time/iso.ts";
import { type File, type FileDocument, type FileUpdate, toFile } from "./file.ts";
import { safeName } from "./file-name.ts";
import { typeOfName } from "./media-type.ts";
import type { OrphanBlobs } from "./orphan-blobs.ts";
import type { ByteRange } from "./parse-range.ts";

/** A file with its bytes. */
export interface FileContent {
  /** Metadata of the file. */
  readonly file: File;
  /** Bytes of the file, read on demand. Read the stream to its end or cancel it. */
  readonly body: ReadableStream<Uint8Array>;
}

export interface FilesQuery extends PageQuery {
  /** A media type, or a family such as `image/*`. */
  readonly type?: string | undefined;
}

export interface Files {
  /** @param onlyPublic Whether to hide PRIVATE files. */
  list(appId: string, query: FilesQuery, onlyPublic: boolean): Promise<Page<File>>;
  /** @throws StepwellError `not_found` */
  get(appId: string, fileId: string, onlyPublic: boolean): Promise<File>;
  /** Returns the bytes of a file, or a range of them. @throws StepwellError `not_found` */
  content(appId: string, fileId: string, range?: ByteRange): Promise<FileContent>;
  /** The files with these ids, in this order; null for an id that the app does not have. */
  find(appId: string, fileIds: readonly string[]): Promise<readonly (File | null)[]>;
  update(appId: string, fileId: string, input: FileUpdate): Promise<File>;
  /** Deletes the file, then its bytes. A download in progress may be cut off. */
  remove(appId: string, fileId: string): Promise<void>;
  /** Deletes expired files. Ends early when `isStopped` returns true. */
  deleteExpired(isStopped: () => boolean): Promise<void>;
  /** Deletes all files of a deleted app. */
  deleteAll(appId: string, isStopped: () => boolean): Promise<void>;
}

const EXPIRING_LIST = "files.expiring";
const listOf = (appId: string) => `files.${appId}`;
export const fileKey = (fileId: string): Key => `file:${fileId}`;

function rowsOf(file: File): RowChange[] {
  const { id, created_at, name, visibility, mime_type, expires_at } = file;
  const family = mime_type.slice(0, mime_type.indexOf("/"));
  const marks = [`visibility:${visibility}`, `type:${mime_type}`, `type:${family}/*`];
  // Ids are assigned before the files exist, so they don't sort by upload time.
  const put: Row = { id, order: created_at, text: foldText(name), marks };
  return [
    { list: listOf(file.app_id), put },
    expires_at === null ? { list: EXPIRING_LIST, delete: id } : { list: EXPIRING_LIST, put: { id, order: expires_at } },
  ];
}

/** The change that creates a file. Its id was generated for it, so no other document can have it. */
export function putFile(document: FileDocument): Change {
  return { key: fileKey(document.id), document, rows: rowsOf(document) };
}

export function createFiles(parts: { store: Store; blobs: Blobs; orphanBlobs: OrphanBlobs; clock: Clock }): Files {
  const { store, blobs, orphanBlobs, clock } = parts;

  /** Hides expired files that have not been deleted yet. */
  const isAvailable = ({ expires_at }: File) => expires_at === null || expires_at > instant(clock.now());

  function requireFile(found: Stored<FileDocument> | null, appId: string, fileId: string): Stored<FileDocument> {
    if (found === null || found.document.app_id !== appId || !isAvailable(found.document))
      throw notFound("file", fileId);
    return found;
  }

  async function find(appId: string, fileId: string): Promise<FileDocument> {
    return requireFile(await store.get<FileDocument>(fileKey(fileId)), appId, fileId).document;
  }

  /** The commit that deletes a file. The caller deletes the bytes afterwards. */
  function deleteFile({ document, version }: Stored<FileDocument>): Update<FileDocument> {
    const rows = [
      { list: listOf(document.app_id), delete: document.id },
      { list: EXPIRING_LIST, delete: document.id },
    ];
    const changes = [
      { key: fileKey(document.id), document: null, expected: version, rows },
      orphanBlobs.markOrphan(document.blob.id),
    ];
    return { changes, result: document };
  }

  /** Deletes files of a list, oldest first. */
  async function deleteListedFiles(
    list: string,
    query: Pick<ListQuery, "until">,
    shouldRemove: (file: FileDocument) => boolean,
    isStopped: () => boolean,
  ): Promise<void> {
    for await (const fileId of rowIds(store, list, query)) {
      if (isStopped()) return;
      const removed = await updateDocument<FileDocument, FileDocument | null>(store, fileKey(fileId), (found) =>
        found !== null && shouldRemove(found.document) ? deleteFile(found) : { changes: [], result: null },
      );
      if (removed !== null) await orphanBlobs.discard(removed.blob.id);
    }
  }

  return {
    list: (appId, { type, ...query }, onlyPublic) =>
      listPage<FileDocument, File>(
        store,
        listOf(appId),
        { ...query, marks: [...marksOf("visibility", onlyPublic ? "PUBLIC" : undefined), ...marksOf("type", type)] },
        fileKey,
        (document) => (isAvailable(document) ? toFile(document) : null),
      ),

    async get(appId, fileId, onlyPublic) {
      const file = toFile(await find(appId, fileId));
      if (onlyPublic && file.visibility !== "PUBLIC") throw notFound("file", fileId);
      return file;
    },

    async content(appId, fileId, range) {
      const document = await find(appId, fileId);
      return { file: toFile(document), body: blobs.read(document.blob, range) };
    },

    async find(appId, fileIds) {
      const found = await store.getMany<FileDocument>(fileIds.map(fileKey));
      return found.map((stored) => {
        const isOfApp = stored?.document.app_id === appId && isAvailable(stored.document);
        return isOfApp ? toFile(stored.document) : null;
      });
    },

    async update(appId, fileId, { name, expires_at, ...input }) {
      const now = instant(clock.now());
      const expires = typeof expires_at === "string" ? instant(Date.parse(expires_at)) : expires_at;
      if (typeof expires === "string" && expires <= now) {
        throw invalid([
          { pointer: "/expires_at", message: "Must be in the future. To remove the file now, delete it." },
        ]);
      }
      const safe = name === undefined ? undefined : safeName(name);
      const name_type = safe === undefined ? undefined : await typeOfName(safe);
      return updateDocument<FileDocument, File>(store, fileKey(fileId), (found) => {
        const { document, version } = requireFile(found, appId, fileId);
        const changed: FileDocument = {
          ...document,
          ...input,
          ...omitUndefined({ name: safe, name_type, expires_at: expires }),
        };
        const change = { key: fileKey(fileId), document: changed, expected: version, rows: rowsOf(changed) };
        return { changes: [change], result: toFile(changed) };
      });
    },

    async remove(appId, fileId) {
      const { blob } = await updateDocument<FileDocument, FileDocument>(store, fileKey(fileId), (found) =>
        deleteFile(requireFile(found, appId, fileId)),
      );
      await orphanBlobs.discard(blob.id);
    },

    deleteExpired: (isStopped) =>
      deleteListedFiles(EXPIRING_LIST, { until: instant(clock.now()) }, (file) => !isAvailable(file), isStopped),

    deleteAll: (appId, isStopped) => deleteListedFiles(listOf(appId), {}, () => true, isStopped),
  };
}
