/** Reads one document with the format of its type, and converts errors. */
import {
  ExtractError,
  type Extracted,
  type ExtractorDocument,
  type ExtractRequest,
} from "../../src/ports/extractor.ts";
import { FORMAT_LOADERS } from "./format-loaders.ts";
import { findFormat, unsupported } from "./format-registry.ts";
import type { Extraction } from "./format-types.ts";
import { createImageList } from "./image-list.ts";
import { type ExtractorLimits, overLimit, PART_COST } from "./limits.ts";
import { createTextWriter } from "./text-writer.ts";

/** Maximum depth of nested documents, such as e-mails in e-mails. Deeper ones are listed but not read. */
const MAX_ARCHIVE_DEPTH = 4;

/** @throws ExtractError. Its message is a clause about the document, without subject. */
export async function readDocument(
  document: ExtractorDocument,
  request: ExtractRequest,
  limits: ExtractorLimits,
): Promise<Extracted> {
  let left = limits.textCharacters;
  let itemsLeft = limits.items;
  const budget = {
    take(characters: number) {
      left -= characters;
      if (left < 0) throw overLimit("textCharacters", limits);
    },
    spend(items: number) {
      itemsLeft -= items;
      if (itemsLeft < 0) throw overLimit("items", limits);
    },
  };
  const text = createTextWriter(budget);
  const images = createImageList(limits);

  function at(depth: number): Extraction {
    return { request, limits, budget, text, images, nested: (inner) => readNested(inner, depth + 1) };
  }

  async function readNested(inner: ExtractorDocument, depth: number): Promise<void> {
    budget.spend(PART_COST);
    if (request.images) await images.add(inner.name, inner.bytes);
    if (depth > MAX_ARCHIVE_DEPTH || inner.bytes.length === 0 || findFormat(inner.mime_type) === undefined) return;
    try {
      await read(inner, at(depth));
    } catch (error) {
      if (!(error instanceof ExtractError) || error.code === "too_large") throw error;
      if (request.text) text.verbatim(`(not read: ${error.message})`);
    }
  }

  await read(document, at(0));
  return { text: request.text ? text.result() : null, images: images.all() };
}

async function read(document: ExtractorDocument, extraction: Extraction): Promise<void> {
  const format = findFormat(document.mime_type);
  if (format === undefined) throw unsupported(document.mime_type);
  const extract = await FORMAT_LOADERS[format.id]();
  try {
    await extract(document, extraction);
  } catch (cause) {
    if (cause instanceof ExtractError) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ExtractError("damaged", `it is damaged or not ${document.mime_type} (${reason})`, {
      cause,
    });
  }
}
