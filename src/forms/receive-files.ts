/** Stores the files of a submitted form as they arrive. */
import { type FieldError, StepwellError } from "../errors.ts";
import type { StoreFile } from "../files/create-file.ts";
import { discardFiles } from "../files/discard-files.ts";
import type { File } from "../files/file.ts";
import { safeName } from "../files/file-name.ts";
import type { Hash } from "../ports/hash.ts";
import type { FileField } from "../workflows/input/input-field.ts";
import { type FormField, withNested } from "./form-values.ts";
import type { FormFile } from "./read-form-parts.ts";

/** What makes two files the same. */
export type SubmittedFile = Pick<File, "name" | "size" | "sha256">;

/** A file that exceeds the limit of its field. */
export interface LargeFile {
  readonly name: string;
  /** Bytes that the field accepts. */
  readonly limit: number;
}

export interface FileReceiver {
  /** The files by their ids. Those that were not stored have ids of no file. */
  readonly files: ReadonlyMap<string, SubmittedFile>;
  /** The names with which files came. */
  readonly names: ReadonlySet<string>;
  /** The fields that take files, by the names of their controls. */
  readonly fileFields: ReadonlyMap<string, FileField>;
  /** The ids of the files of each field, in order. */
  readonly ids: ReadonlyMap<string, readonly string[]>;
  /** The first file of each field that exceeds its limit. */
  readonly largeFiles: ReadonlyMap<string, LargeFile>;
  readonly errors: readonly FieldError[];
  /** @throws StepwellError `too_large` for a file above the limit of the host; `unavailable` */
  receive(name: string, file: FormFile): Promise<void>;
  /** Deletes the files that were stored. */
  discard(): Promise<void>;
}

export interface FileReceiverParts {
  readonly storeFile: StoreFile;
  removeFile(appId: string, fileId: string): Promise<void>;
  readonly hash: Pick<Hash, "stream">;
  /** Bytes of each file. */
  readonly fileBytes: number;
}

export function createFileReceiver(
  { storeFile, removeFile, hash, fileBytes }: FileReceiverParts,
  given: {
    readonly appId: string;
    readonly key: string;
    readonly fields: readonly FormField[];
    /** Whether files are stored, instead of only being compared with those of an earlier answer. */
    readonly keepsFiles: boolean;
  },
): FileReceiver {
  const { appId, key, keepsFiles } = given;
  const fileFields = fileFieldsIn(given.fields);
  const stored: string[] = [];
  const files = new Map<string, SubmittedFile>();
  const names = new Set<string>();
  const ids = new Map<string, string[]>();
  const largeFiles = new Map<string, LargeFile>();
  const errors: FieldError[] = [];

  async function keep({ visibility = "PRIVATE" }: FileField, name: string, body: AsyncIterable<Uint8Array>) {
    if (!keepsFiles) return { id: `${files.size}`, name: safeName(name), ...(await digestOf(body, hash)) };
    const own = { app_id: appId, key: `${key}/${stored.length}`, maxSize: fileBytes, visibility };
    const file = await storeFile({ ...own, open: () => ({ name, body }) });
    stored.push(file.id);
    return file;
  }

  function idsOf(field: string): string[] {
    const known = ids.get(field) ?? [];
    ids.set(field, known);
    return known;
  }

  function refuse(field: string, name: string, size: number, limit: number): void {
    const known = idsOf(field);
    const message = `The file ${JSON.stringify(safeName(name))} has ${size} bytes. The limit is ${limit} bytes.`;
    errors.push({ pointer: `${field}/${known.length}`, message });
    if (!largeFiles.has(field)) largeFiles.set(field, { name: safeName(name), limit });
    // Not the id of a file. Without one, the file would be reported as missing too.
    known.push("");
  }

  return {
    ...{ files, names, fileFields, ids, largeFiles, errors },

    async receive(field, { name, body }) {
      const source = createLimitedSource(body, fileBytes);
      // A browser sends an empty file without a name where nothing was chosen.
      if (name === "") return source.readToEnd();
      names.add(field);
      const fileField = fileFields.get(field);
      if (fileField === undefined) return source.readToEnd();
      const { max_size: limit = fileBytes } = fileField;
      try {
        const file = await keep(fileField, name, source.upTo(limit));
        files.set(file.id, file);
        idsOf(field).push(file.id);
      } catch (error) {
        if (error !== LIMIT_EXCEEDED) throw error;
        // The fields that follow are read, so that a person keeps what was typed.
        await source.readToEnd();
        refuse(field, name, source.size, limit);
      }
    },

    discard: () => discardFiles(removeFile, appId, stored),
  };
}

const LIMIT_EXCEEDED = new Error("The file exceeds the limit of its field.");

/** Bytes of which only those of an accepted file are passed on. No more than `hostLimit` are ever read. */
function createLimitedSource(bytes: AsyncIterable<Uint8Array>, hostLimit: number) {
  // Not `for await`, which would close the source when a file is refused.
  const source = bytes[Symbol.asyncIterator]();
  let size = 0;

  async function next(): Promise<Uint8Array | null> {
    const { done, value } = await source.next();
    if (done === true) return null;
    size += value.length;
    if (size > hostLimit) throw new StepwellError("too_large", `A file exceeds the limit of ${hostLimit} bytes.`);
    return value;
  }

  return {
    get size() {
      return size;
    },
    /** @throws LIMIT_EXCEEDED */
    async *upTo(limit: number): AsyncGenerator<Uint8Array, void> {
      for (let piece = await next(); piece !== null; piece = await next()) {
        if (size > limit) throw LIMIT_EXCEEDED;
        yield piece;
      }
    },
    async readToEnd(): Promise<void> {
      while ((await next()) !== null);
    },
  };
}

export function fileFieldsIn(fields: readonly FormField[]): Map<string, FileField> {
  return new Map(
    withNested(fields).flatMap(({ name, field }): [string, FileField][] =>
      field.type === "file" ? [[name, field]] : [],
    ),
  );
}

async function digestOf(bytes: AsyncIterable<Uint8Array>, hash: Pick<Hash, "stream">) {
  const digest = hash.stream();
  let size = 0;
  for await (const piece of bytes) {
    size += piece.length;
    digest.update(piece);
  }
  return { size, sha256: digest.digest() };
}
