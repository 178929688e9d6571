/** Creates documents that harm careless parsers. */
import { deflateSync } from "node:zlib";
import { Uint8ArrayReader, Uint8ArrayWriter, ZipWriter } from "@zip.js/zip.js";

export const TYPES = {
  pdf: "application/pdf",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  pptx: "application/vnd.openxmlformats-officedocument.presentationml.presentation",
  odt: "application/vnd.oasis.opendocument.text",
  ods: "application/vnd.oasis.opendocument.spreadsheet",
} as const;

const encoder = new TextEncoder();
const RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";

export async function zipOf(parts: Readonly<Record<string, string | Uint8Array>>): Promise<Uint8Array> {
  const writer = new ZipWriter(new Uint8ArrayWriter(), { useWebWorkers: false });
  for (const [name, given] of Object.entries(parts)) {
    await writer.add(name, new Uint8ArrayReader(typeof given === "string" ? encoder.encode(given) : given));
  }
  return writer.close();
}

/** An archive whose directory lists many entries that share one file. */
export function zipOfEntries(count: number): Uint8Array {
  const local = new Uint8Array(31);
  const localView = new DataView(local.buffer);
  localView.setUint32(0, 0x04034b50, true);
  localView.setUint16(26, 1, true); // the length of its name
  local[30] = "x".charCodeAt(0);
  const entries = Array.from({ length: count }, (_, number) => {
    const name = encoder.encode(`part-${number}`);
    const entry = new Uint8Array(46 + name.length);
    const view = new DataView(entry.buffer);
    view.setUint32(0, 0x02014b50, true);
    view.setUint16(28, name.length, true);
    entry.set(name, 46);
    return entry;
  });
  const end = new Uint8Array(22);
  const view = new DataView(end.buffer);
  view.setUint32(0, 0x06054b50, true);
  view.setUint16(8, count, true);
  view.setUint16(10, count, true);
  view.setUint32(12, Buffer.concat(entries).length, true);
  view.setUint32(16, local.length, true);
  return Buffer.concat([local, ...entries, end]);
}

/** Declares a wrong size for the first entry of an archive. */
export function withDeclaredSize(zip: Uint8Array, size: number): Uint8Array {
  const lying = Uint8Array.from(zip);
  const view = new DataView(lying.buffer);
  for (let at = 0; at < lying.length - 4; at++) {
    const isLocal = view.getUint32(at, true) === 0x04034b50;
    if (isLocal) view.setUint32(at + 22, size, true);
    if (view.getUint32(at, true) !== 0x02014b50) continue;
    view.setUint32(at + 24, size, true);
    return lying;
  }
  throw new Error("a zip archive without a directory");
}

function relations(...given: readonly (readonly [type: string, target: string])[]): string {
  const each = given.map(
    ([type, target], i) => `<Relationship Id="r${i}" Type="${RELATIONS}/${type}" Target="${target}"/>`,
  );
  return `<Relationships xmlns="${PACKAGE}/relationships">${each.join("")}</Relationships>`;
}

export function docx(document: string): Promise<Uint8Array> {
  return zipOf({
    "[Content_Types].xml": `<Types xmlns="${PACKAGE}/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>`,
    "_rels/.rels": relations(["officeDocument", "word/document.xml"]),
    "word/document.xml": document,
  });
}

export function wordXml(body: string, before = ""): string {
  const main = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
  return `<?xml version="1.0"?>${before}<w:document xmlns:w="${main}"><w:body>${body}</w:body></w:document>`;
}

export function xlsx(sheet: string | Uint8Array): Promise<Uint8Array> {
  return zipOf({
    "xl/worksheets/sheet1.xml": sheet,
    "_rels/.rels": relations(["officeDocument", "xl/workbook.xml"]),
    "xl/workbook.xml": `<workbook xmlns:r="${RELATIONS}"><sheets><sheet name="S" sheetId="1" r:id="r0"/></sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": relations(["worksheet", "worksheets/sheet1.xml"]),
  });
}

export function odf(content: string, manifest = "<manifest/>"): Promise<Uint8Array> {
  return zipOf({ "content.xml": content, "META-INF/manifest.xml": manifest });
}

/** A PDF of these objects, numbered from 1; the first one is the catalog. */
export function pdf(objects: readonly (string | Uint8Array)[], trailer = ""): Uint8Array {
  const pieces: Uint8Array[] = [encoder.encode("%PDF-1.7\n")];
  const places: number[] = [];
  let size = pieces[0]?.length ?? 0;
  const put = (piece: string | Uint8Array) => {
    const bytes = typeof piece === "string" ? encoder.encode(piece) : piece;
    pieces.push(bytes);
    size += bytes.length;
  };
  for (const [index, object] of objects.entries()) {
    places.push(size);
    put(`${index + 1} 0 obj\n`);
    put(object);
    put("\nendobj\n");
  }
  const start = size;
  const rows = places.map((place) => `${String(place).padStart(10, "0")} 00000 n \n`).join("");
  put(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`);
  put(`trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer.replace("START", String(start))} >>\n`);
  put(`startxref\n${start}\n%%EOF\n`);
  return Buffer.concat(pieces);
}

export function stream(dictionary: string, bytes: Uint8Array): Uint8Array {
  const head = `<< ${dictionary} /Length ${bytes.length} >>\nstream\n`;
  return Buffer.concat([encoder.encode(head), bytes, encoder.encode("\nendstream")]);
}

/** A PDF with one page: the fourth object is its content, the fifth one its image. */
export function onePage(...more: readonly (string | Uint8Array)[]): Uint8Array {
  const page =
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R /Resources << /XObject << /I 5 0 R >> >> >>";
  const tree = "<< /Type /Pages /Kids [3 0 R] /Count 1 >>";
  return pdf(["<< /Type /Catalog /Pages 2 0 R >>", tree, page, ...more]);
}

/** Repetitive bytes that two rounds of deflate compress to almost nothing. */
export function deflatedTwice(size: number): Uint8Array {
  return deflateSync(deflateSync(Buffer.alloc(size, " ")));
}

/** A PDF with many pages, each an object of its own. */
export function manyPages(count: number): Uint8Array {
  const kids = Array.from({ length: count }, (_, i) => `${i + 3} 0 R`).join(" ");
  const pages = Array.from({ length: count }, () => "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>");
  return pdf(["<< /Type /Catalog /Pages 2 0 R >>", `<< /Type /Pages /Kids [${kids}] /Count ${count} >>`, ...pages]);
}

/** A workbook with one sheet and its shared strings. */
export function xlsxWithStrings(sheet: string, strings: string): Promise<Uint8Array> {
  return zipOf({
    "xl/worksheets/sheet1.xml": sheet,
    "xl/sharedStrings.xml": strings,
    "_rels/.rels": relations(["officeDocument", "xl/workbook.xml"]),
    "xl/workbook.xml": `<workbook xmlns:r="${RELATIONS}"><sheets><sheet name="S" sheetId="1" r:id="r0"/></sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": relations(
      ["worksheet", "worksheets/sheet1.xml"],
      ["sharedStrings", "sharedStrings.xml"],
    ),
  });
}

/** @param slides References to the parts, which are named r0, r1, … in order. */
export function pptx(slides: string, parts: Readonly<Record<string, string>>): Promise<Uint8Array> {
  const targets = Object.keys(parts).map((name) => ["slide", name.replace("ppt/", "")] as const);
  return zipOf({
    "_rels/.rels": relations(["officeDocument", "ppt/presentation.xml"]),
    "ppt/presentation.xml": `<presentation><sldIdLst>${slides}</sldIdLst></presentation>`,
    "ppt/_rels/presentation.xml.rels": relations(...targets),
    ...parts,
  });
}

export function mailOfParts(count: number): string {
  const part = "--b\r\nContent-Type: text/plain\r\nContent-Disposition: attachment; filename=a.txt\r\n\r\nhello\r\n";
  return `Subject: x\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${part.repeat(count)}--b--`;
}
