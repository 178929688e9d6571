/** German pages: numbers and sizes in German, and texts of the server marked as English. */
import { parseHTML } from "linkedom";
import { describe, expect, it } from "vitest";
import { HTML, openForms } from "../support/forms/open-forms.ts";

const GERMAN = { ...HTML, "accept-language": "de" };
/** The narrow and wide spaces of numbers with units. */
const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, " ");

describe.each([
  ["de", 1_500_000, "1,5 MB"],
  ["de", 5, "5 Byte"],
  ["de", 9_999, "9.999 Byte"],
  ["de", 12_345, "12,3 kB"],
  ["en", 1_500_000, "1.5 MB"],
  ["en", 1, "1 byte"],
  ["en", 9_999, "9,999 bytes"],
] as const)("in %s, the limit of %d bytes", (language, max_size, text) => {
  const headers = { ...HTML, "accept-language": language };

  it(`is ${text} on the page of a form`, async () => {
    const { asked, send } = await openForms();
    const { link } = await asked({ scan: { type: "file", max_size } });
    expect(plain((await send(link.url, { headers })).text)).toContain(text);
  });

  it(`is ${text} on the page of an upload`, async () => {
    const { stepwell, app, send } = await openForms();
    const { upload_url } = await stepwell.files.createUpload(app, { max_size });
    expect(plain((await send(upload_url, { headers })).text)).toContain(`${text}.`);
  });
});

describe("a German page", () => {
  it("marks what the server says in English", async () => {
    const { asked, send } = await openForms();
    const { link } = await asked(
      { inside: { type: "string", config: true }, n: { type: "number" } },
      [],
      {},
      {
        inside: "x",
      },
    );
    const body = JSON.stringify({ inside: "y", n: "z" });
    const headers = { ...GERMAN, "content-type": "application/json" };
    const { status, text } = await send(link.url, { method: "POST", headers, body });
    expect(status).toBe(422);
    const { document } = parseHTML(text);
    const [first, second] = document.querySelectorAll(".errors li");
    expect(first?.querySelector('[lang="en"]')?.textContent).toContain("only input_default sets");
    expect(second?.textContent).toContain("Geben Sie eine Zahl ein.");
    expect(second?.querySelector("[lang]")).toBeNull();
  });
});
