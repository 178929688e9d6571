/** What a format is given to work with, and what it has to do. */
import type { ExtractorDocument, ExtractorWanted } from "../../src/ports/extractor.ts";
import type { ImageList } from "./image-list.ts";
import type { ExtractorLimits } from "./limits.ts";
import type { Budget, TextWriter } from "./text-writer.ts";

/** One document on its way to text and images. */
export interface Extraction {
  readonly wanted: ExtractorWanted;
  readonly limits: ExtractorLimits;
  readonly budget: Budget;
  readonly text: TextWriter;
  readonly images: ImageList;
  /**
   * Reads a document that stands in this one, into the same text and images. What it cannot read it says in the text.
   * Documents stand in each other at most a few levels deep.
   */
  nested(document: ExtractorDocument): Promise<void>;
}

/**
 * Writes a document's text and adds its images.
 * @throws ExtractError; whatever else it throws means that the document is damaged
 */
export type Format = (document: ExtractorDocument, extraction: Extraction) => Promise<void>;
