/** Text and images of documents from common programs. */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import mime from "mime";
import { afterAll, describe, expect, it } from "vitest";
import { createExtractor } from "../../adapters/extract/extractor.ts";
import type { Extracted } from "../../src/ports/extractor.ts";

const extractor = createExtractor();
afterAll(() => extractor.close());

function open(name: string): Promise<Buffer> {
  return readFile(fileURLToPath(new URL(`documents/${name}`, import.meta.url)));
}

async function extract(name: string, wanted = { text: true, images: true }): Promise<Extracted> {
  const document = { name, mime_type: mime.getType(name) ?? "", bytes: await open(name) };
  return extractor.extract(document, wanted);
}

async function textOf(bytes: string | Uint8Array, mime_type: string): Promise<string | null> {
  const given = typeof bytes === "string" ? new TextEncoder().encode(bytes) : bytes;
  const { text } = await extractor.extract({ name: "it", mime_type, bytes: given }, { text: true, images: false });
  return text;
}

const typesOf = ({ images }: Extracted) => images.map(({ mime_type }) => mime_type);

describe("extracting PDF", () => {
  it("returns pages, paragraphs, columns and table rows", async () => {
    const { text } = await extract("report.pdf");
    expect(text).toBe(`--- Page 1 ---

Annual report
The first paragraph of the report says what the year was like, and it is long enough
to run over two lines.

A second paragraph follows: café, naïve, 100 €.

Region\tUnits\tRevenue
North\t120\t1,200.50
South\t80\t640.00

--- Page 2 ---

Left one
Left two
Left three

Right one
Right two
Right three

--- Page 3 ---

Pictures`);
  });

  it("returns each image once, as it is shown", async () => {
    const found = await extract("report.pdf");
    expect(typesOf(found)).toEqual(["image/png", "image/png"]);
    // Width and height are at the start of a PNG. The photo comes first; the picture that is used twice comes once.
    const sizes = found.images.map(({ bytes }) => {
      const view = new DataView(bytes.buffer, bytes.byteOffset);
      return [view.getUint32(16), view.getUint32(20)];
    });
    expect(sizes[1]).toEqual([40, 30]);
  });

  it("returns no text for a scan", async () => {
    const found = await extract("scan.pdf");
    expect(found.text).toBe("");
    expect(typesOf(found)).toEqual(["image/png"]);
  });

  it("reads PDF from LibreOffice", async () => {
    const found = await extract("story.pdf");
    expect(found.text).toContain("It begins with a bold word, and café.\n\nA list\n• one");
    expect(typesOf(found)).toEqual(["image/png"]);
  });
});

describe("extracting word processor documents", () => {
  it("returns headings, lists, tables, notes and images of DOCX", async () => {
    const found = await extract("contract.docx");
    expect(found.text).toBe(`# The contract

Between Ann and Bob[1].

## Terms

- Bullet one
  - Bullet inside
- Bullet two

1. First
2. Second

| Item | Price |
| --- | --- |
| Pipe \\| fitting | 9.50 |

The last line

1. The note at the foot.`);
    expect(found.images.map(({ bytes }) => Buffer.from(bytes))).toEqual([
      await open("picture.png"),
      await open("photo.jpg"),
    ]);
    expect(typesOf(found)).toEqual(["image/png", "image/jpeg"]);
  });

  const story = (second: string) => `# The story

It begins with a bold word, and café.

## A list

- one
- two
  - two and a half

${second}

| Name | Age |
| --- | --- |
| Ann | 30 |

After the table.`;

  it("reads DOCX and ODT from LibreOffice in the same way", async () => {
    expect((await extract("story.docx")).text).toBe(story("1. first\n2. second"));
    expect((await extract("story.odt")).text).toBe(story("- first\n- second"));
  });

  it("returns notes and images of ODT", async () => {
    const found = await extract("contract.odt");
    expect(found.text).toContain("Between Ann and Bob [note: The note at the foot.].");
    expect(typesOf(found)).toEqual(["image/png", "image/jpeg"]);
  });
});

describe("extracting spreadsheets", () => {
  it("returns sheets by name, formula results, dates and merged cells of XLSX", async () => {
    const found = await extract("orders.xlsx");
    expect(found.text).toBe(`## Orders

Date\tCustomer\tNet\tGross
2026-03-31\tAnn and Co\t100\t120
2026-04-01 13:45:00\tBob Ltd\t0.3\t0.36
Merged over three
\t\t\t\t\tTRUE
rich text

## Second & last

only\t1e+21\t-5
#N/A`);
    expect(found.images.map(({ bytes }) => Buffer.from(bytes))).toEqual([await open("picture.png")]);
  });

  it("returns cells of ODS as they are shown", async () => {
    const found = await extract("orders.ods");
    expect(found.text).toContain("31.03.2026\tAnn and Co\t100\t120\n2026-04-01 13:45\tBob Ltd\t0.3\t0.36\n");
    expect(found.text).toContain("## Second & last\n\nonly");
    expect(typesOf(found)).toEqual(["image/png"]);
  });
});

describe("extracting presentations", () => {
  it.each(["results.pptx", "results-libreoffice.pptx"])(
    "returns slides, notes, tables and images of %s",
    async (name) => {
      const found = await extract(name);
      expect(found.text).toBe(`## Slide 1

### Quarterly results

First point
  - Inner point
Second point

Notes: Say hello first.

## Slide 2

| Quarter | Sum |
| --- | --- |
| Q1 | 10 |`);
      expect(typesOf(found)).toEqual(["image/png", "image/jpeg"]);
    },
  );

  it("returns slides, notes, tables and images of ODP", async () => {
    const found = await extract("results.odp");
    expect(found.text).toMatch(/^## Slide 1\n\nQuarterly results\n\n- First point\n/);
    expect(found.text).toContain("Notes: Say hello first.\n\n## Slide 2\n\n| Quarter | Sum |\n");
    expect(typesOf(found)).toEqual(["image/png", "image/jpeg"]);
  });
});

describe("extracting HTML", () => {
  it("returns the visible text as Markdown", async () => {
    const html = `<!doctype html><html><head><title>Not seen</title><style>p { color: red }</style></head><body>
      <script>document.write("<p>not seen</p>")</script>
      <h1>News &amp; more</h1><p>One   line,<br>another.<p>Unclosed
      <div hidden>not seen</div><div style="display: none">not seen</div>
      <pre>  as it
    stands</pre>
      <table><thead><tr><th>Name<th>Sum</thead><tr><td>A <b>bold</b> one<td>1<tr><td colspan=2>alone</table>
      <ul><li><p>first</p></li><li>second</ul><img src=x alt="A map"> &copy;</body></html>`;
    expect(await textOf(html, "text/html")).toBe(`# News & more

One line,
another.

Unclosed

  as it
    stands

| Name | Sum |
| --- | --- |
| A bold one | 1 |
alone

- first
- second

[image: A map] ©`);
  });

  it("treats tables that contain tables as page layout", async () => {
    const html = "<table><tr><td>Logo</td><td><table><tr><td>a<td>b</table><p>Below</td></tr></table>";
    expect(await textOf(html, "text/html")).toBe("Logo\n\n| a | b |\n| --- | --- |\n\nBelow");
  });
});

describe("extracting text", () => {
  it.each([
    ["text/csv", 'Name;"Two\nlines";"a ""quoted"" one"\n'],
    ["application/json", '{ "a": [1, 2] }'],
    ["text/markdown", "# Title\n\n- one\n"],
    ["text/plain", "  as it stands  \n"],
    ["application/vnd.api+json", "[]"],
    ["text/plain", ""],
  ])("returns %s unchanged", async (type, text) => expect(await textOf(text, type)).toBe(text));

  it.each<[string, string, number[], string]>([
    ["UTF-8 with a mark", "text/plain", [0xef, 0xbb, 0xbf, 0xc3, 0xa9], "é"],
    ["UTF-16, little end first", "text/plain", [0xff, 0xfe, 0xe9, 0x00, 0x3d, 0xd8, 0x00, 0xde], "é😀"],
    ["UTF-16, big end first", "text/csv", [0xfe, 0xff, 0x00, 0xe9], "é"],
    ["windows-1252, by being no UTF-8", "text/csv", [0x63, 0x61, 0x66, 0xe9, 0x20, 0x80], "café €"],
    ["what the type says", "text/plain; charset=iso-8859-2", [0xb3], "ł"],
    ["what HTML says", "text/html", [...new TextEncoder().encode("<meta charset=koi8-r>"), 0xc1], "а"],
  ])("decodes %s", async (_, type, bytes, text) => expect(await textOf(Uint8Array.from(bytes), type)).toBe(text));
});

describe("extracting e-mail", () => {
  it("returns sender, recipients, date, subject, body and attachments by name", async () => {
    const picture = (await open("picture.png")).toString("base64");
    const contract = (await open("contract.docx")).toString("base64");
    const eml = [
      "From: =?utf-8?Q?Ren=C3=A9e?= <renee@example.com>",
      "To: Bob <bob@example.com>, ann@example.com",
      "Date: Tue, 31 Mar 2026 13:45:00 +0200",
      "Subject: =?iso-8859-1?B?Q2Fm6Q==?= today",
      'Content-Type: multipart/mixed; boundary="b"',
      ...["", "--b", 'Content-Type: multipart/alternative; boundary="c"', ""],
      ...["--c", "Content-Type: text/plain; charset=iso-8859-1", "Content-Transfer-Encoding: quoted-printable", ""],
      ...["Caf=E9 at=", " noon?", "", "--c", "Content-Type: text/html", "", "<p>not this</p>", "--c--"],
      ...["--b", "Content-Type: text/csv", "Content-Transfer-Encoding: base64"],
      ...["Content-Disposition: attachment; filename*=utf-8''b%C3%BCcher.csv", "", btoa("a;b\n1;2\n")],
      ...["--b", 'Content-Type: application/octet-stream; name="contract.docx"', "Content-Transfer-Encoding: base64"],
      ...["Content-Disposition: attachment; filename=contract.docx", "", contract],
      ...["--b", "Content-Type: image/png", "Content-Transfer-Encoding: base64"],
      ...["Content-Disposition: inline; filename=picture.png", "", picture],
      ...["--b", "Content-Type: application/zip", "Content-Disposition: attachment; filename=x.zip", "", "PK", "--b--"],
    ].join("\r\n");
    const document = { name: "mail.eml", mime_type: "message/rfc822", bytes: new TextEncoder().encode(eml) };
    const { text, images } = await extractor.extract(document, { text: true, images: true });
    expect(text).toMatch(
      /^From: Renée <renee@example.com>\nTo: Bob <bob@example.com>, ann@example.com\nDate: 2026-03-31T11:45:00.000Z\nSubject: Café today\n\nCafé at noon\?\n\n## Attachment: bücher.csv \(text\/csv, 8 bytes\)\n\na;b\n1;2\n/,
    );
    expect(text).toContain("# The contract\n");
    expect(text).toContain("## Attachment: picture.png (image/png, 2,347 bytes)\n\n## Attachment: x.zip");
    expect(text).not.toContain("not this");
    expect(images.map(({ name }) => name)).toEqual(["image1.png", "image1.jpg"]);
  });
});

describe("the extractor's options", () => {
  it("return only text, only images or both", async () => {
    expect(await extract("contract.docx", { text: true, images: false })).toMatchObject({ images: [] });
    const { text, images } = await extract("contract.docx", { text: false, images: true });
    expect({ text, count: images.length }).toEqual({ text: null, count: 2 });
  });

  it("match media types regardless of case and parameters", () => {
    const types = ["application/pdf", "Text/HTML; charset=utf-8", "application/json", "text/rtf", "image/png"];
    expect(types.map(extractor.supports)).toEqual([true, true, true, false, false]);
  });

  it("let tenants take turns, and forget who has gone", async () => {
    const reader = createExtractor({ threads: 1 });
    const ended: string[] = [];
    const gone = new AbortController();
    const read = async (name: string, signal?: AbortSignal) => {
      const document = { name, mime_type: "text/plain", bytes: new TextEncoder().encode(name) };
      await reader.extract(document, { text: true, images: false }, { tenant: name.charAt(0), signal });
      ended.push(name);
    };
    const all = ["a1", "a2", "a3", "b1"].map((name) => read(name));
    const aborted = read("b2", gone.signal);
    gone.abort(new Error("gone"));
    await expect(aborted).rejects.toThrow("gone");
    await Promise.all(all);
    expect(ended).toEqual(["a1", "a2", "b1", "a3"]);
    await reader.close();
  });
});
