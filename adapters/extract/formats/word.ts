/** DOCX by mammoth: headings, lists, tables and notes by their meaning, not their formatting. */
import { Buffer } from "node:buffer";
import { ExtractError } from "../../../src/ports/extractor.ts";
import { type Archive, openArchive, repack } from "../archive.ts";
import type { Format } from "../format-types.ts";
import { writeHtml } from "../markup.ts";
import { addImages, mainPart } from "../office-relationships.ts";
import { importMammoth } from "../optional-import.ts";
import { marginTexts } from "./word-margins.ts";

const XML = /(\.xml|\.rels)$/i;
/** Matches the element name only, so that attributes stay. */
const SIMPLE_FIELD = /<\/?\w{1,20}:fldSimple(?=[\s/>])/;
const SIMPLE_FIELDS = /(<\/?\w{1,20}:)fldSimple(?=[\s/>])/g;
/** Mammoth omits comments unless a style maps them. */
const WITH_COMMENTS = ["comment-reference => sup"];
/** The link from a note or comment back to its reference. */
const BACK = /<a href="#(?:footnote|endnote|comment)-ref-[^"]*">↑<\/a>/g;

export const extractWord: Format = async ({ bytes }, extraction) => {
  const archive = await openArchive(bytes, extraction);
  const main = await mainPart(archive, "word/document.xml");
  if (!archive.has(main)) throw new ExtractError("damaged", "it is a ZIP archive without a document");
  if (extraction.request.text) {
    await writeMargins("header");
    await writeText(archive);
    await writeMargins("footer");
  }
  if (extraction.request.images) {
    const folder = main.slice(0, main.lastIndexOf("/") + 1);
    const others = archive.names.filter((name) => name.startsWith(folder) && name.endsWith(".xml") && name !== main);
    for (const part of [main, ...others]) await addImages(archive, part, extraction);
  }

  async function writeMargins(kind: "header" | "footer"): Promise<void> {
    for (const text of await marginTexts(archive, main, kind)) {
      extraction.text.gap(2);
      extraction.text.verbatim(text);
      extraction.text.gap(2);
    }
  }

  async function writeText(from: Archive): Promise<void> {
    const mammoth = await importMammoth();
    const buffer = Buffer.from(await repack(await xmlParts(from)));
    const convertImage = mammoth.images.imgElement(async () => ({ src: "" }));
    const { value } = await mammoth.convertToHtml({ buffer }, { convertImage, styleMap: WITH_COMMENTS });
    writeHtml(value.replace(BACK, ""), extraction.text, extraction.budget);
  }
};

async function xmlParts(archive: Archive): Promise<Map<string, Uint8Array>> {
  const parts = new Map<string, Uint8Array>();
  for (const name of archive.names) {
    if (!XML.test(name)) continue;
    const bytes = await archive.bytes(name);
    const xml = new TextDecoder().decode(bytes);
    if (/<!DOCTYPE/i.test(xml))
      throw new ExtractError("damaged", `its part ${JSON.stringify(name)} has a document type declaration`);
    parts.set(name, SIMPLE_FIELD.test(xml) ? new TextEncoder().encode(readable(xml)) : bytes);
  }
  return parts;
}

/** Mammoth omits simple fields including their content, but reads the content of smart tags. */
function readable(xml: string): string {
  return xml.replace(SIMPLE_FIELDS, "$1smartTag");
}
