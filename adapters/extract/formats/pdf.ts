/** PDF by PDF.js, as packaged by unpdf: text in its layout and the visible images, page by page. */
import { ExtractError } from "../../../src/ports/extractor.ts";
import type { Extraction, Format } from "../format-types.ts";
import { overLimit } from "../limits.ts";
import { importUnpdf } from "../optional-import.ts";
import { annotationLines } from "./pdf-annotations.ts";
import { withoutAttachmentEncryption } from "./pdf-encryption.ts";
import { imageOf } from "./pdf-image.ts";
import { pageText } from "./pdf-layout.ts";

type Unpdf = typeof import("unpdf");
type Document = Awaited<ReturnType<Unpdf["getDocumentProxy"]>>;
type Page = Awaited<ReturnType<Document["getPage"]>>;
type Operations = Awaited<ReturnType<Unpdf["getResolvedPDFJS"]>>["OPS"];

/** Maximum offset of the header, which other bytes may precede. ISO 32000-2, 7.5.2 and PDF.js. */
const MAX_HEADER_OFFSET_BYTES = 1024;

export const extractPdf: Format = async ({ bytes }, extraction) => {
  const start = new TextDecoder("latin1").decode(bytes.subarray(0, MAX_HEADER_OFFSET_BYTES));
  if (!start.includes("%PDF-")) throw new ExtractError("damaged", "it has no PDF header");
  const { getDocumentProxy, getResolvedPDFJS } = await importUnpdf();
  const settings = { verbosity: 0, isOffscreenCanvasSupported: false, isImageDecoderSupported: false };
  const pdf = await getDocumentProxy(new Uint8Array(bytes), settings).catch((cause: unknown) => {
    if (!(cause instanceof Error && cause.name === "PasswordException")) throw cause;
    const open = withoutAttachmentEncryption(bytes);
    if (open === null) throw new ExtractError("encrypted", "it is encrypted and needs a password", { cause });
    return getDocumentProxy(open, settings);
  });
  try {
    await extractPages(pdf, (await getResolvedPDFJS()).OPS, extraction);
  } finally {
    await pdf.destroy();
  }
};

async function extractPages(pdf: Document, OPS: Operations, extraction: Extraction): Promise<void> {
  for (let number = 1; number <= pdf.numPages; number++) {
    const page = await pdf.getPage(number);
    if (extraction.request.text) await writePage(page, number, pdf.numPages, extraction);
    if (extraction.request.images) await addPageImages(page, number, OPS, extraction);
    page.cleanup();
  }
}

async function writePage(page: Page, number: number, pages: number, { text, budget }: Extraction): Promise<void> {
  const { items } = await page.getTextContent();
  const laidOut = pageText(items.flatMap((item) => ("str" in item ? [item] : [])));
  const annotations = await page.getAnnotations({ intent: "display" });
  budget.spend(items.length + annotations.length);
  const added = annotationLines(annotations);
  if (laidOut === "" && added.length === 0) return;
  text.gap(2);
  if (pages > 1) text.verbatim(`--- Page ${number} ---`);
  text.gap(2);
  text.verbatim(laidOut);
  text.gap(2);
  text.verbatim(added.join("\n"));
}

async function addPageImages(page: Page, number: number, OPS: Operations, extraction: Extraction): Promise<void> {
  const { fnArray, argsArray } = await page.getOperatorList();
  const seen = new Set<unknown>();
  for (const [index, operation] of fnArray.entries()) {
    if (operation !== OPS.paintImageXObject && operation !== OPS.paintInlineImageXObject) continue;
    const reference: unknown = argsArray[index]?.[0];
    if (seen.has(reference)) continue;
    seen.add(reference);
    const image = typeof reference === "string" ? await resolveObject(page, reference) : reference;
    const png = imageOf(image);
    if (png !== null) await extraction.images.add(`page-${number}-${seen.size}.png`, png);
    if (seen.size > extraction.limits.images) throw overLimit("images", extraction.limits);
  }
}

/** Waits for a decoded image. PDF.js stores images that several pages share in `commonObjs`. */
function resolveObject(page: Page, id: string): Promise<unknown> {
  return new Promise((resolve) => (id.startsWith("g_") ? page.commonObjs : page.objs).get(id, resolve));
}
