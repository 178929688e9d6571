/** Files: listed, read, changed, removed, and handed to runs. They come into being in uploads.ts. */

import { listPage, marksOf, type PageQuery, rowIds, type Update, updateDocument } from "../documents/documents.ts";
import { foldText, type Page } from "../documents/pagination.ts";
import { isStepwellError, notFound } from "../errors.ts";
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
  readonly file: File;
  /** Read as it is asked for; to be read to its end or cancelled. */
  readonly body: ReadableStream<Uint8Array>;
}

export interface FilesQuery extends PageQuery {
  /** A media type, or a family such as `image/*`. */
  readonly type?: string | undefined;
}

export interface Files {
  /** @param onlyPublic Whether files that are PRIVATE are hidden. */
  list(appId: string, query: FilesQuery, onlyPublic: boolean): Promise<Page<File>>;
  /** @throws StepwellError `not_found` */
  get(appId: string, fileId: string, onlyPublic: boolean): Promise<File>;
  /** The bytes of a file, or the part of them that is asked for. @throws StepwellError `not_found` */
  content(appId: string, fileId: string, range?: ByteRange): Promise<FileContent>;
  /** The files with these ids, in this order; null where the app has none. */
  find(appId: string, fileIds: readonly string[]): Promise<readonly (File | null)[]>;
  update(appId: string, fileId: string, input: FileUpdate): Promise<File>;
  /** Removes the file, then its bytes; who is just reading them may be cut off. */
  remove(appId: string, fileId: string): Promise<void>;
  /** Removes what has expired; ends early when asked to. */
  removeExpired(isStopped: () => boolean): Promise<void>;
  /** Removes all files of an app that is no more. */
  removeAll(appId: string, isStopped: () => boolean): Promise<void>;
}

const EXPIRING_LIST = "files.expiring";
const listOf = (appId: string) => `files.${appId}`;
export const fileKey = (fileId: string): Key => `file:${fileId}`;

function rowsOf(file: File): RowChange[] {
  const { id, created_at, name, visibility, mime_type, expires_at } = file;
  const family = mime_type.slice(0, mime_type.indexOf("/"));
  const marks = [`visibility:${visibility}`, `type:${mime_type}`, `type:${family}/*`];
  // Ids are fixed before the files exist, so they do not tell the order in which files came.
  const put: Row = { id, order: created_at, text: foldText(name), marks };
  return [
    { list: listOf(file.app_id), put },
    expires_at === null ? { list: EXPIRING_LIST, take: id } : { list: EXPIRING_LIST, put: { id, order: expires_at } },
  ];
}

/** The change that brings a file into being; its id was generated for it and for nothing else. */
export function putFile(document: FileDocument): Change {
  return { key: fileKey(document.id), document, rows: rowsOf(document) };
}

export function createFiles(parts: { store: Store; blobs: Blobs; orphanBlobs: OrphanBlobs; clock: Clock }): Files {
  const { store, blobs, orphanBlobs, clock } = parts;

  /** What has expired is not there, though it may not have been removed yet. */
  const isAvailable = ({ expires_at }: File) => expires_at === null || expires_at > instant(clock.now());

  function requireFile(found: Stored<FileDocument> | null, appId: string, fileId: string): Stored<FileDocument> {
    if (found === null || found.document.app_id !== appId || !isAvailable(found.document))
      throw notFound("file", fileId);
    return found;
  }

  async function find(appId: string, fileId: string): Promise<FileDocument> {
    return requireFile(await store.get<FileDocument>(fileKey(fileId)), appId, fileId).document;
  }

  /** The commit that removes a file; its bytes are to go once it is made. */
  function deleteFile({ document, version }: Stored<FileDocument>): Update<FileDocument> {
    const rows = [
      { list: listOf(document.app_id), take: document.id },
      { list: EXPIRING_LIST, take: document.id },
    ];
    const changes = [
      { key: fileKey(document.id), document: null, expected: version, rows },
      orphanBlobs.markOrphan(document.blob.id),
    ];
    return { changes, result: document };
  }

  /** Removes the files of a list that are to go, oldest first. */
  async function removeListedFiles(
    list: string,
    chosen: Pick<ListQuery, "until">,
    shouldRemove: (file: FileDocument) => boolean,
    isStopped: () => boolean,
  ): Promise<void> {
    for await (const fileId of rowIds(store, list, chosen)) {
      if (isStopped()) return;
      const found = await store.get<FileDocument>(fileKey(fileId));
      if (found !== null && shouldRemove(found.document)) await removeQuietly(found);
    }
  }

  async function removeQuietly(found: Stored<FileDocument>): Promise<void> {
    try {
      await store.commit(deleteFile(found).changes);
    } catch (error) {
      if (isStepwellError(error, "conflict")) return; // changed or removed this moment
      throw error;
    }
    await orphanBlobs.discard(found.document.blob.id);
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
        const isOurs = stored?.document.app_id === appId && isAvailable(stored.document);
        return isOurs ? toFile(stored.document) : null;
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

    removeExpired: (isStopped) =>
      removeListedFiles(EXPIRING_LIST, { until: instant(clock.now()) }, (file) => !isAvailable(file), isStopped),

    removeAll: (appId, isStopped) => removeListedFiles(listOf(appId), {}, () => true, isStopped),
  };
}
