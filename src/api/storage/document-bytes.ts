/** Finds the bytes to which documents refer, for those that move them. */
import type { Blob, BlobProgress } from "../../ports/blobs.ts";
import type { FindBlob } from "../../storage/migrate/document-blobs.ts";

/** Files, partial uploads, and the texts of imports that are being carried out. */
export const findBlob: FindBlob = (key, document) => {
  const kind = key.slice(0, key.indexOf(":"));
  if ((kind === "file" || kind === "partial") && "blob" in document && isBlob(document.blob)) {
    return { blob: document.blob, replace: (blob) => ({ ...document, blob }) };
  }
  if (kind !== "job" || !("task" in document) || !("status" in document) || document.status !== "running") return null;
  const { task } = document;
  if (typeof task !== "object" || task === null || !("blob" in task) || !isBlob(task.blob)) return null;
  return { blob: task.blob, replace: (blob) => ({ ...document, task: { ...task, blob } }) };
};

function isBlob(value: unknown): value is Blob | BlobProgress {
  return typeof value === "object" && value !== null && "id" in value && "size" in value && "block_size" in value;
}
