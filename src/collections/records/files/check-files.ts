/** Checks the files that a write adds to a record. */
import { type FieldError, missingText } from "../../../errors.ts";
import { type JsonValue, pointer } from "../../../json.ts";
import { invalid } from "../../../messages/field-errors.ts";
import type { FindExpected, FindFiles } from "../../../runs/resolve-input.ts";
import type { RecordData, RecordPatch } from "../record.ts";
import { type FileReference, findReferences, MAX_FILES } from "./file-references.ts";

/**
 * A file that the record already refers to is not checked, so that a record can be written back as it was read after one of
 * its files was deleted.
 * @param before The data before the write.
 * @throws StepwellError `invalid` with a JSON Pointer for each file that the app does not have
 */
export type CheckFiles = (appId: string, patch: RecordPatch, before: RecordData) => Promise<void>;

export function createCheckFiles(parts: { findFiles: FindFiles; findExpected: FindExpected }): CheckFiles {
  const { findFiles, findExpected } = parts;

  /** The error message for each id that is not a file of the app. */
  async function problemsOf(appId: string, given: readonly JsonValue[]): Promise<ReadonlyMap<JsonValue, string>> {
    const ids = given.filter(isFileId);
    const found = await findFiles(appId, ids);
    const missing = ids.filter((_, index) => found[index] === null);
    const expected = await Promise.all(missing.map((id) => findExpected(appId, id)));
    return new Map([
      ...given.filter((id) => !isFileId(id)).map((id) => [id, wrongId(id)] as const),
      ...missing.map(
        (id, index) => [id, expected[index] === null ? missingText("file", id) : notUploaded(id)] as const,
      ),
    ]);
  }

  return async (appId, patch, before) => {
    const given = findReferences(patch);
    if (given.length === 0) return;
    checkFileCount(given);
    const known = new Set(findReferences(before).map(({ id }) => id));
    const added = given.filter(({ id }) => !known.has(id));
    const problems = await problemsOf(appId, [...new Set(added.map(({ id }) => id))]);
    const errors = added.flatMap(({ id, path }): FieldError[] => {
      const message = problems.get(id);
      return message === undefined ? [] : [{ pointer: pointer(["data", ...path, "file_id"]), message }];
    });
    if (errors.length > 0) throw invalid(errors);
  };
}

/** @throws StepwellError `invalid` */
export function checkFileCount(references: readonly FileReference[]): void {
  if (references.length <= MAX_FILES) return;
  const message = `Must refer to at most ${MAX_FILES} files, including the references that mappings copy.`;
  throw invalid([{ pointer: "/data", message }]);
}

const FILE_ID = /^[\w-]{1,128}$/;
const isFileId = (id: JsonValue): id is string => typeof id === "string" && FILE_ID.test(id);
const wrongId = (id: JsonValue) => (typeof id === "string" ? missingText("file", id) : "Must be the id of a file.");
const notUploaded = (id: string) =>
  `The file ${JSON.stringify(id)} has not been uploaded yet. Write the record after the upload.`;
