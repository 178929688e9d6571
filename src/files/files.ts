/** Files: listed, read, removed, and handed to runs. They come into being in uploads.ts. */
import { listPage, type PageQuery, update } from "../documents.ts";
import { notFound } from "../errors.ts";
import { fold, type Page } from "../page.ts";
import type { Blobs } from "../ports/blobs.ts";
import type { Change, Key, Row, Store } from "../ports/store.ts";
import { type File, type FileDocument, publicFields } from "./file.ts";
import type { LooseBlobs } from "./loose-blobs.ts";
import type { ByteRange } from "./range.ts";

/** A file with its bytes. */
export interface FileContent {
  readonly file: File;
  /** Read as it is asked for; to be read to its end or cancelled. */
  readonly body: ReadableStream<Uint8Array>;
}

export interface Files {
  /** @param onlyPublic Whether files that are PRIVATE are hidden. */
  list(appId: string, query: PageQuery, onlyPublic: boolean): Promise<Page<File>>;
  /** @throws StepwellError `not_found` */
  get(appId: string, fileId: string, onlyPublic: boolean): Promise<File>;
  /** The bytes of a file, or the part of them that is asked for. @throws StepwellError `not_found` */
  content(appId: string, fileId: string, range?: ByteRange): Promise<FileContent>;
  /** The files with these ids, in this order; null where the app has none. */
  find(appId: string, fileIds: readonly string[]): Promise<readonly (File | null)[]>;
  /** Removes the file, then its bytes; who is just reading them may be cut off. */
  remove(appId: string, fileId: string): Promise<void>;
}

const listOf = (appId: string) => `files.${appId}`;
const keyOf = (fileId: string): Key => `file:${fileId}`;
/** Ids are fixed before the files exist, so they do not tell the order in which files came. */
const rowOf = (file: File): Row => ({
  id: file.id,
  order: file.created_at,
  text: fold(file.name),
  marks: [`visibility:${file.visibility}`],
});
const ONLY_PUBLIC = [["visibility:PUBLIC"]];

/** The change that brings a file into being; its id was generated for it and for nothing else. */
export function fileCreated(document: FileDocument): Change {
  return { key: keyOf(document.id), document, rows: [{ list: listOf(document.app_id), put: rowOf(document) }] };
}

export function createFiles({ store, blobs, loose }: { store: Store; blobs: Blobs; loose: LooseBlobs }): Files {
  async function find(appId: string, fileId: string): Promise<FileDocument> {
    const found = await store.get<FileDocument>(keyOf(fileId));
    if (found === null || found.document.app_id !== appId) throw notFound("file", fileId);
    return found.document;
  }

  return {
    list: (appId, query, onlyPublic) =>
      listPage<FileDocument, File>(
        store,
        listOf(appId),
        {
          ...query,
          ...(query.search === undefined ? {} : { search: fold(query.search) }),
          ...(onlyPublic ? { marks: ONLY_PUBLIC } : {}),
        },
        keyOf,
        publicFields,
      ),

    async get(appId, fileId, onlyPublic) {
      const file = publicFields(await find(appId, fileId));
      if (onlyPublic && file.visibility !== "PUBLIC") throw notFound("file", fileId);
      return file;
    },

    async content(appId, fileId, range) {
      const document = await find(appId, fileId);
      return { file: publicFields(document), body: blobs.read(document.blob, range) };
    },

    async find(appId, fileIds) {
      const found = await store.getMany<FileDocument>(fileIds.map(keyOf));
      return found.map((stored) => (stored?.document.app_id === appId ? publicFields(stored.document) : null));
    },

    async remove(appId, fileId) {
      const { blob } = await update<FileDocument, FileDocument>(store, keyOf(fileId), (found) => {
        if (found === null || found.document.app_id !== appId) throw notFound("file", fileId);
        const { document, version } = found;
        const rows = [{ list: listOf(appId), take: fileId }];
        const changes = [
          { key: keyOf(fileId), document: null, expected: version, rows },
          loose.recorded(document.blob.id),
        ];
        return { changes, result: document };
      });
      await loose.discard(blob.id);
    },
  };
}
