/** E-mail (RFC 5322, MIME) by postal-mime: the main headers, the text, and each attachment under its name. */
import mime from "mime";
import PostalMime, { type Address, type Attachment } from "postal-mime";
import { ExtractError } from "../../../src/ports/extractor.ts";
import type { Extraction, Format } from "../format-types.ts";
import { writeHtml } from "../markup.ts";

const HEADER = /^[!-9;-~]+[ \t]*:/m;

export const extractMail: Format = async ({ bytes }, extraction) => {
  const start = new TextDecoder("latin1").decode(bytes.subarray(0, 64 * 1024));
  if (!HEADER.test(start)) throw new ExtractError("damaged", "it has no e-mail headers");
  const mail = await PostalMime.parse(bytes, { forceRfc822Attachments: true });
  const { text, request, budget } = extraction;
  if (request.text) {
    const fields: readonly (readonly [string, string | undefined])[] = [
      ["From", mail.from && shown([mail.from])],
      ["To", mail.to && shown(mail.to)],
      ["Cc", mail.cc && shown(mail.cc)],
      ["Date", mail.date],
      ["Subject", mail.subject],
    ];
    for (const [name, value] of fields) {
      if (value) text.verbatim(`${name}: ${value}`);
      text.gap(1);
    }
    text.gap(2);
    if (mail.text?.trim()) text.verbatim(mail.text.replace(/\r\n?/g, "\n").trim());
    else if (mail.html !== undefined) writeHtml(mail.html, text, budget);
  }
  for (const attachment of mail.attachments) await add(attachment, extraction);
};

async function add(attachment: Attachment, { text, request, nested }: Extraction): Promise<void> {
  const { content } = attachment;
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : new Uint8Array(content);
  const name = attachment.filename ?? "unnamed";
  const guessed = attachment.mimeType === "application/octet-stream" ? mime.getType(name) : null;
  const mime_type = guessed ?? attachment.mimeType;
  if (request.text) {
    text.gap(2);
    text.verbatim(`## Attachment: ${name} (${mime_type}, ${bytes.length.toLocaleString("en-US")} bytes)`);
    text.gap(2);
  }
  await nested({ name, mime_type, bytes });
}

function shown(addresses: readonly Address[]): string {
  return addresses
    .map((one) =>
      one.group ? `${one.name}: ${shown(one.group)}` : one.name ? `${one.name} <${one.address}>` : one.address,
    )
    .join(", ");
}
