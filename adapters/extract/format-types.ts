/** The interface of a format. */
import type { ExtractorDocument, ExtractRequest } from "../../src/ports/extractor.ts";
import type { ImageList } from "./image-list.ts";
import type { ExtractorLimits } from "./limits.ts";
import type { Budget, TextWriter } from "./text-writer.ts";

/** The extraction of one document to text and images. */
export interface Extraction {
  readonly request: ExtractRequest;
  readonly limits: ExtractorLimits;
  readonly budget: Budget;
  readonly text: TextWriter;
  readonly images: ImageList;
  /**
   * Reads an embedded document into the same text and images. Notes in the text if it cannot be read. Only a few levels
   * of nesting are read.
   */
  nested(document: ExtractorDocument): Promise<void>;
}

/**
 * Writes a document's text and adds its images.
 * @throws ExtractError. Any other error means that the document is damaged.
 */
export type Format = (document: ExtractorDocument, extraction: Extraction) => Promise<void>;
