/** PPTX: each slide under its number, with title, paragraphs, tables and speaker notes. */
import { ExtractError } from "../../../src/ports/extractor.ts";
import { type Archive, openArchive } from "../archive.ts";
import type { Extraction, Format } from "../format-types.ts";
import { addImages, mainPart, relationsOf } from "../office-relationships.ts";
import type { TextWriter } from "../text-writer.ts";
import { type Attributes, prefixed, readXml } from "../xml.ts";

/** The purpose of a shape. Null for shapes without content, such as slide numbers. */
type Purpose = "title" | "body" | "other" | null;

export const extractSlides: Format = async ({ bytes }, extraction) => {
  const archive = await openArchive(bytes, extraction);
  const main = await mainPart(archive, "ppt/presentation.xml");
  if (!archive.has(main)) throw new ExtractError("damaged", "it is a ZIP archive without a presentation");
  const slides = await slideParts(archive, main);
  for (const [index, slide] of slides.entries()) {
    if (extraction.request.text) await writeSlide(archive, slide, index + 1, extraction);
    if (extraction.request.images) await addImages(archive, slide, extraction);
  }
};

/** Returns the slides in presentation order. */
async function slideParts(archive: Archive, main: string): Promise<readonly string[]> {
  const relations = new Map((await relationsOf(archive, main)).map(({ id, target }) => [id, target]));
  const parts = new Set<string>();
  await readXml(archive, main, {
    open(name, attributes) {
      if (name !== "sldId") return;
      const part = relations.get(prefixed(attributes, "id") ?? "");
      if (part !== undefined && archive.has(part)) parts.add(part);
    },
  });
  return [...parts];
}

async function writeSlide(archive: Archive, slide: string, number: number, { text }: Extraction): Promise<void> {
  text.gap(2);
  text.verbatim(`## Slide ${number}`);
  text.gap(2);
  await writeShapes(archive, slide, text, () => true);
  const notes = (await relationsOf(archive, slide)).find(({ type }) => type === "notesSlide")?.target;
  if (notes === undefined || !archive.has(notes)) return;
  text.gap(2);
  text.prefix("Notes: ");
  await writeShapes(archive, notes, text, (purpose) => purpose === "body", true);
  text.dropPrefix();
}

async function writeShapes(
  archive: Archive,
  part: string,
  text: TextWriter,
  isWanted: (purpose: Purpose) => boolean,
  isNotes = false,
): Promise<void> {
  let purpose: Purpose = "other";
  let paragraph = "";
  let level = 0;
  let isText = false;
  let isPicture = false;
  let fallbacks = 0;
  let rows = 0;
  let row: string[] | null = null;
  let cell: string[] = [];

  function open(name: string, attributes: Attributes): void {
    if (name === "Fallback") fallbacks++;
    if (fallbacks > 0) return;
    if (name === "sp" || name === "graphicFrame" || name === "pic") {
      purpose = "other";
      isPicture = name === "pic";
    } else if (name === "ph") purpose = purposeOf(attributes["type"]);
    else if (name === "cNvPr" && isPicture) paragraph = describePicture(attributes["descr"]);
    else if (name === "tbl") rows = 0;
    else if (name === "p") {
      paragraph = "";
      level = 0;
    } else if (name === "pPr") level = Math.min(8, Math.max(0, Number(attributes["lvl"] ?? 0) || 0));
    else if (name === "t") isText = true;
    else if (name === "br") paragraph += " ";
    else if (name === "tr") row = [];
    else if (name === "tc") cell = [];
  }

  function close(name: string): void {
    if (name === "Fallback") fallbacks--;
    if (fallbacks > 0) return;
    if (name === "t") isText = false;
    else if (name === "p" || (name === "nvPicPr" && paragraph !== "")) endParagraph();
    else if (name === "tc") row?.push(cell.join(" "));
    else if (name === "tr" && row !== null) {
      text.row(row, "pipe");
      if (++rows === 1)
        text.row(
          row.map(() => "---"),
          "pipe",
        );
      row = null;
    } else if (name === "sp" || name === "tbl") text.gap(2);
  }

  function endParagraph(): void {
    const content = paragraph;
    paragraph = "";
    if (row !== null) cell.push(content);
    else if (content.trim() !== "" && purpose !== null && isWanted(purpose)) write(content);
  }

  function write(content: string): void {
    text.gap(purpose === "title" ? 2 : 1);
    if (purpose === "title") text.prefix("### ");
    else if (!isNotes && (purpose === "body" || level > 0)) text.prefix(`${"  ".repeat(level)}- `);
    text.text(content);
    text.gap(purpose === "title" ? 2 : 1);
  }

  await readXml(archive, part, {
    open,
    close,
    text(piece) {
      if (isText && fallbacks === 0) paragraph += piece;
    },
  });
}

/** Returns a picture's description. Ignores file names, which some programs insert by default. */
function describePicture(description = ""): string {
  return description.trim() === "" || /\.\w{3,4}$/.test(description) ? "" : `[image: ${description}]`;
}

function purposeOf(placeholder: string | undefined): Purpose {
  if (placeholder === "title" || placeholder === "ctrTitle") return "title";
  if (placeholder === "subTitle") return "other";
  if (placeholder === "sldNum" || placeholder === "dt" || placeholder === "ftr" || placeholder === "hdr") return null;
  return "body";
}
