/** Maps media types to formats. `format-loaders.ts` loads them, in the threads only. */
import { ExtractError } from "../../src/ports/extractor.ts";

export type FormatId = "pdf" | "word" | "sheet" | "slides" | "open-document" | "html" | "mail" | "text";

interface FormatEntry {
  readonly id: FormatId;
  /** Name in messages. */
  readonly name: string;
  readonly types: readonly (string | RegExp)[];
  /** Whether an empty file is a valid document. */
  readonly mayBeEmpty?: true;
}

const OOXML = "application/vnd.openxmlformats-officedocument";
const ODF = "application/vnd.oasis.opendocument";

/** The first format that accepts a type is used. */
const FORMATS: readonly FormatEntry[] = [
  {
    id: "pdf",
    name: "PDF",
    types: ["application/pdf", "application/x-pdf"],
  },
  {
    id: "word",
    name: "DOCX",
    types: [
      `${OOXML}.wordprocessingml.document`,
      `${OOXML}.wordprocessingml.template`,
      "application/vnd.ms-word.document.macroenabled.12",
    ],
  },
  {
    id: "sheet",
    name: "XLSX",
    types: [
      `${OOXML}.spreadsheetml.sheet`,
      `${OOXML}.spreadsheetml.template`,
      "application/vnd.ms-excel.sheet.macroenabled.12",
    ],
  },
  {
    id: "slides",
    name: "PPTX",
    types: [
      `${OOXML}.presentationml.presentation`,
      `${OOXML}.presentationml.slideshow`,
      `${OOXML}.presentationml.template`,
      "application/vnd.ms-powerpoint.presentation.macroenabled.12",
    ],
  },
  {
    id: "open-document",
    name: "ODT, ODS, ODP",
    types: [`${ODF}.text`, `${ODF}.spreadsheet`, `${ODF}.presentation`],
  },
  {
    id: "html",
    name: "HTML",
    types: ["text/html", "application/xhtml+xml"],
    mayBeEmpty: true,
  },
  {
    id: "mail",
    name: "e-mail (EML)",
    types: ["message/rfc822"],
  },
  {
    id: "text",
    name: "text, including CSV, JSON, Markdown, XML and YAML",
    types: [
      /^text\/(?!rtf$)/,
      /^application\/([\w.-]+\+)?(json|xml|yaml)$/,
      /^application\/(x-yaml|x-ndjson|jsonl|json5|javascript|sql|toml|csv)$/,
      "image/svg+xml",
    ],
    mayBeEmpty: true,
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
