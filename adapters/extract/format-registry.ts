/** Maps media types to formats. A format and its libraries are loaded with its first document. */
import { ExtractError } from "../../src/ports/extractor.ts";
import type { Format } from "./format-types.ts";

interface FormatEntry {
  /** Name in messages. */
  readonly name: string;
  readonly types: readonly (string | RegExp)[];
  /** Whether an empty file is a valid document. */
  readonly mayBeEmpty?: true;
  load(): Promise<Format>;
}

const OOXML = "application/vnd.openxmlformats-officedocument";
const ODF = "application/vnd.oasis.opendocument";

/** The first format that accepts a type is used. */
const FORMATS: readonly FormatEntry[] = [
  {
    name: "PDF",
    types: ["application/pdf", "application/x-pdf"],
    load: async () => (await import("./formats/pdf.ts")).extractPdf,
  },
  {
    name: "DOCX",
    types: [
      `${OOXML}.wordprocessingml.document`,
      `${OOXML}.wordprocessingml.template`,
      "application/vnd.ms-word.document.macroenabled.12",
    ],
    load: async () => (await import("./formats/word.ts")).extractWord,
  },
  {
    name: "XLSX",
    types: [
      `${OOXML}.spreadsheetml.sheet`,
      `${OOXML}.spreadsheetml.template`,
      "application/vnd.ms-excel.sheet.macroenabled.12",
    ],
    load: async () => (await import("./formats/sheet.ts")).extractSheets,
  },
  {
    name: "PPTX",
    types: [
      `${OOXML}.presentationml.presentation`,
      `${OOXML}.presentationml.slideshow`,
      `${OOXML}.presentationml.template`,
      "application/vnd.ms-powerpoint.presentation.macroenabled.12",
    ],
    load: async () => (await import("./formats/slides.ts")).extractSlides,
  },
  {
    name: "ODT, ODS, ODP",
    types: [`${ODF}.text`, `${ODF}.spreadsheet`, `${ODF}.presentation`],
    load: async () => (await import("./formats/open-document.ts")).extractOpenDocument,
  },
  {
    name: "HTML",
    types: ["text/html", "application/xhtml+xml"],
    mayBeEmpty: true,
    load: async () => (await import("./formats/html.ts")).extractHtml,
  },
  {
    name: "e-mail (EML)",
    types: ["message/rfc822"],
    load: async () => (await import("./formats/mail.ts")).extractMail,
  },
  {
    name: "text, including CSV, JSON, Markdown, XML and YAML",
    types: [
      /^text\/(?!rtf$)/,
      /^application\/([\w.-]+\+)?(json|xml|yaml)$/,
      /^application\/(x-yaml|x-ndjson|jsonl|json5|javascript|sql|toml|csv)$/,
      "image/svg+xml",
    ],
    mayBeEmpty: true,
    load: async () => (await import("./formats/text.ts")).extractPlain,
  },
];

export function findFormat(mimeType: string): FormatEntry | undefined {
  const type = (mimeType.split(";", 1)[0] ?? "").trim().toLowerCase();
  return FORMATS.find(({ types }) => types.some((one) => (typeof one === "string" ? one === type : one.test(type))));
}

export function unsupported(mimeType: string): ExtractError {
  const names = FORMATS.map(({ name }) => name).join(", ");
  return new ExtractError("unsupported", `${mimeType} is not a supported type. Supported: ${names}`);
}
