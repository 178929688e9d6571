/** A run cannot be loaded, because another process of the cluster executes it. */
import type { RunDocument } from "../state/run-document.ts";

export class RunElsewhereError extends Error {
  readonly document: RunDocument;

  constructor(document: RunDocument) {
    super(`Another process executes the run ${document.id}.`);
    this.document = document;
  }
}
