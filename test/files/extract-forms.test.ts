/** Text besides the running text: form fields, annotations, comments, headers and footers. */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import mime from "mime";
import { afterAll, describe, expect, it } from "vitest";
import { createExtractor } from "../../adapters/extract/extractor.ts";
import * as hostile from "../support/files/hostile-documents.ts";

const { TYPES } = hostile;
const extractor = createExtractor({ threads: 1, timeoutMs: 600_000 });
afterAll(() => extractor.close());

async function textOf(bytes: Uint8Array, mime_type: string): Promise<string | null> {
  return (await extractor.extract({ name: "it", mime_type, bytes }, { text: true, images: false })).text;
}

async function textOfFile(name: string): Promise<string | null> {
  const bytes = await readFile(fileURLToPath(new URL(`documents/${name}`, import.meta.url)));
  return textOf(bytes, mime.getType(name) ?? "");
}

describe("the text of a PDF", () => {
  it("includes form fields and visible annotations, without passwords and hidden notes", async () => {
    expect(await textOfFile("form.pdf")).toBe(`Order

A note on the page
Typed on the page
customer: Ann Mueller
remarks: first line
second line
express: Yes
country: France
sizes: S, L
pay: 1`);
  });

  it("includes the form fields and annotations that LibreOffice writes", async () => {
    expect(await textOfFile("form-libreoffice.pdf")).toMatch(
      /Cash\n\nCheck the address\.\ncustomer: Ann Müller\nexpress: Yes\ncountry: Austria\npay: card\nsize: Large$/,
    );
  });

  it("includes the label of a choice field and omits hidden fields", async () => {
    const field = (rest: string) => `<< /Type /Annot /Subtype /Widget /Rect [0 0 9 9] ${rest} >>`;
    const page = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Annots [4 0 R 5 0 R 6 0 R] >>";
    const bytes = hostile.pdf([
      "<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [4 0 R 5 0 R 6 0 R] >> >>",
      "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
      page,
      field("/FT /Ch /Ff 131072 /T (country) /TU (Your country) /Opt [[(at) (Austria)] [(fr) (France)]] /V (fr)"),
      field("/FT /Tx /T (shown) /V (yes)"),
      field("/FT /Tx /T (secret) /V (no) /F 2"),
    ]);
    expect(await textOf(bytes, TYPES.pdf)).toBe("Your country: France\nshown: yes");
  });

  it.each([
    ["is returned when only attachments are encrypted", "Identity", "Readable"],
    ["is reported as encrypted when streams are encrypted too", "StdCF", "encrypted"],
  ])("%s", async (_, filter, expected) => {
    const unknown = `<${"5a".repeat(32)}>`;
    const crypt = "/CF << /StdCF << /AuthEvent /EFOpen /CFM /AESV2 /Length 16 >> >> /EFF /StdCF";
    const content = new TextEncoder().encode("BT /F 12 Tf 20 50 Td (Readable) Tj ET");
    const bytes = hostile.pdf(
      [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>",
        hostile.stream("", content),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        `<< /Filter /Standard /V 4 /R 4 /Length 128 ${crypt} /StmF /${filter} /StrF /${filter} /O ${unknown} /U ${unknown} /P -4 >>`,
      ],
      `/Encrypt 6 0 R /ID [${unknown} ${unknown}]`,
    );
    const text = await textOf(bytes, TYPES.pdf).catch((error: { code: string }) => error.code);
    expect(text).toBe(expected);
  });
});

describe("the text of a DOCX", () => {
  it("includes simple fields, comments, checkboxes, header and footer", async () => {
    expect(await textOfFile("letter.docx")).toBe(`Acme Ltd, order 4711

Dear «Name», your number is 4711.

Delivery to Vienna[1] within a week.

[x] Express

[ ] Gift

Comment [1]

Check the address.

Page`);
  });

  it("includes the drop-down lists, content controls, text boxes and notes that LibreOffice writes", async () => {
    expect(await textOfFile("form-libreoffice.docx")).toBe(`Acme Ltd, order 4711

# Order form

Delivery to Vienna[1] within a week[1].

Austria

Signed by Ann in a content control.

Text in a box

1. Seven days.

Comment [1]

Check the address.

Page 1`);
  });

  it("includes simple fields for any namespace prefix", async () => {
    const main = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
    const field = "<x:p><x:fldSimple x:instr='DATE'><x:r><x:t>1 May</x:t></x:r></x:fldSimple></x:p>";
    const xml = `<x:document xmlns:x="${main}"><x:body>${field}</x:body></x:document>`;
    expect(await textOf(await hostile.docx(xml), TYPES.docx)).toBe("1 May");
  });
});

describe("the text of HTML", () => {
  it("marks checked checkboxes and radio buttons", async () => {
    const html = "<p><input type=checkbox checked> Express<p><input type=RADIO>Cash<p><input value=x>";
    expect(await textOf(new TextEncoder().encode(html), "text/html")).toBe("[x] Express\n\n[ ] Cash");
  });
});
