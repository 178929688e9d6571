/** Messages between an extractor and its threads. */
import type { ExtractErrorCode, Extracted, ExtractorDocument, ExtractRequest } from "../../../src/ports/extractor.ts";
import type { ExtractorLimits } from "../limits.ts";

export interface Job {
  readonly document: ExtractorDocument;
  readonly request: ExtractRequest;
}

export interface Failure {
  readonly code: ExtractErrorCode;
  readonly message: string;
  readonly limit: string | undefined;
}

export type Outcome =
  | { readonly ok: true; readonly extracted: Extracted }
  | { readonly ok: false; readonly failure: Failure };

export interface ThreadData {
  readonly limits: ExtractorLimits;
}
