/** Files that exceed the limit of their field, or of the host. */
import { parseHTML } from "linkedom";
import { describe, expect, it } from "vitest";
import type { InputDefinition } from "../../src/index.ts";
import { openService, step } from "../support/engine/service.ts";
import { form, HTML, openForms } from "../support/forms/open-forms.ts";

const FIELDS: InputDefinition = {
  note: { type: "string", name: "Note" },
  scan: { type: "file", name: "Scan", max_size: 1_000 },
  n: { type: "number", optional: true },
};
const scan = (bytes: number, name = "big.txt") => new File(["x".repeat(bytes)], name, { type: "text/plain" });
const LIMITS = { limits: { bodyBytes: 20_000, fileBytes: 50_000 } };

/** A file of a form that never ends. */
function endless(headers: Record<string, string>) {
  const encoder = new TextEncoder();
  const head = `--b\r\ncontent-disposition: form-data; name="/scan"; filename="a.txt"\r\n\r\n`;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(encoder.encode(head)),
    pull: (controller) => controller.enqueue(encoder.encode("x".repeat(4_096))),
  });
  const type = { "content-type": "multipart/form-data; boundary=b" };
  return { method: "POST", headers: { ...headers, ...type }, body, duplex: "half" } as RequestInit;
}

describe("a file above the max_size of its field", () => {
  it("gets the page again, with what was typed and a message at the field", async () => {
    const { stepwell, app, asked, send, wait } = await openForms(LIMITS);
    const { run, link } = await asked(FIELDS);
    const refused = await send(link.url, form({ "/scan": scan(1_001), "/note": "my long text" }));
    expect(refused.status).toBe(422);
    const { document } = parseHTML(refused.text);
    expect(document.querySelector('[name="/note"]')?.getAttribute("value")).toBe("my long text");
    const message = "big.txt is too large. A file can have up to 1,000 bytes.";
    expect(document.querySelector("#field-2-wrong")?.textContent).toBe(message);
    const links = [...document.querySelectorAll(".errors a")].map(({ textContent }) => textContent);
    expect(links).toEqual([`Scan: ${message}`]);
    expect((await stepwell.files.list(app)).items).toEqual([]);
    expect(await send(link.url, form({ "/scan": scan(1_000), "/note": "text" }))).toMatchObject({ status: 200 });
    expect(step(await wait(run.id), "ask").output).toMatchObject({ note: "text", scan: [{ size: 1_000 }] });
  });

  it("is an error with its pointer for programs, beside all others", async () => {
    const { stepwell, app, asked, send } = await openForms(LIMITS);
    const { link } = await asked({ ...FIELDS, scans: { type: "file", array: true, max_size: 5 } });
    const body = new FormData();
    body.append("scan", scan(1_001));
    body.append("scans", scan(5, "small.txt"));
    body.append("scans", scan(6));
    body.append("n", "x");
    const { status, text } = await send(link.url, { method: "POST", body });
    expect(status).toBe(422);
    expect(JSON.parse(text).errors).toEqual([
      { pointer: "/scan/0", message: 'The file "big.txt" has 1001 bytes. The limit is 1000 bytes.' },
      { pointer: "/scans/1", message: 'The file "big.txt" has 6 bytes. The limit is 5 bytes.' },
      { pointer: "/note", message: "Is required." },
      { pointer: "/n", message: "Must be a number." },
    ]);
    expect((await stepwell.files.list(app)).items).toEqual([]);
  });

  it("gets the page of a webhook again, with everything that is wrong", async () => {
    const { stepwell, app, deploy } = await openService({ baseUrl: "https://flows.test" });
    await deploy([{ type: "input", key: "in", input: FIELDS, webhook: { method: "POST", path: "leads", form: true } }]);
    const [hook] = (await stepwell.hooks.list(app)).items;
    const request = new Request(hook?.url ?? "", form({ "/scan": scan(1_001), "/note": "", "/n": "x" }));
    const response = await stepwell.fetch(request);
    expect(response.status).toBe(422);
    const { document } = parseHTML(await response.text());
    const wrong = [...document.querySelectorAll(".wrong")].map(({ textContent }) => textContent);
    const message = "big.txt is too large. A file can have up to 1,000 bytes.";
    expect(wrong).toEqual(["This is required.", message, "Enter a number, such as 1,234.5."]);
    expect((await stepwell.runs.list(app, {})).items).toEqual([]);
    expect((await stepwell.files.list(app)).items).toEqual([]);
  });

  it("is another answer than the one that the step has got", async () => {
    const { asked, send, wait } = await openForms(LIMITS);
    const { run, link } = await asked(FIELDS);
    expect(await send(link.url, form({ "/scan": scan(1_000), "/note": "text" }))).toMatchObject({ status: 200 });
    await wait(run.id);
    const other = form({ "/scan": scan(1_001), "/note": "text" });
    expect(await send(link.url, { ...other, headers: {} })).toMatchObject({ status: 409 });
  });
});

describe("a form that exceeds the limits of the host", () => {
  it.each([
    ["a file that never ends", endless(HTML)],
    ["a text", form({ "/note": "x".repeat(20_001) })],
  ])("gets a page that names the limits: %s", async (_, request) => {
    const { stepwell, app, asked, send } = await openForms(LIMITS);
    const { link } = await asked(FIELDS);
    const { status, text } = await send(link.url, request);
    expect(status).toBe(413);
    expect(text).toContain("A file can have up to 50 kB, all texts together up to 20 kB.");
    expect((await stepwell.files.list(app)).items).toEqual([]);
  });

  it("is not read on, even if its link is over or no field takes the file", async () => {
    const { asked, send, wait } = await openForms(LIMITS);
    const { run, link } = await asked({ scan: { type: "file", optional: true } });
    expect(await send(link.url, form({}))).toMatchObject({ status: 200 });
    await wait(run.id);
    expect(await send(link.url, endless({}))).toMatchObject({ status: 413 });
    const other = await asked({ ok: { type: "boolean" } });
    expect(await send(other.link.url, endless({}))).toMatchObject({ status: 413 });
  });
});
