/** Submitted forms whose text is not valid UTF-8: nothing is replaced silently. */
import { describe, expect, it } from "vitest";
import { HTML, openForms } from "../support/forms/open-forms.ts";

const urlEncoded = (body: string) => ({
  method: "POST",
  headers: { ...HTML, "content-type": "application/x-www-form-urlencoded" },
  body,
});
const multipart = (name: string, value: readonly number[]) => ({
  method: "POST",
  headers: { ...HTML, "content-type": "multipart/form-data; boundary=b" },
  body: Uint8Array.from([
    ...new TextEncoder().encode(`--b\r\ncontent-disposition: form-data; ${name}\r\n\r\n`),
    ...value,
    ...new TextEncoder().encode("\r\n--b--\r\n"),
  ]),
});
const LATIN1 = [0x4d, 0xfc, 0x6c, 0x6c, 0x65, 0x72];

describe("a submitted form", () => {
  it.each([
    ["percent-encoded text", urlEncoded("%2Fname=M%FCller")],
    ["the name of a percent-encoded field", urlEncoded("%2Fname=a&%FC=b")],
    ["a field of multipart/form-data", multipart('name="/name"', LATIN1)],
  ])("is refused, not changed, if %s is not valid UTF-8", async (_, request) => {
    const { asked, send, get } = await openForms();
    const { run, link } = await asked({ name: { type: "string" } });
    expect(await send(link.url, request)).toMatchObject({ status: 400 });
    expect((await get(run.id)).status).toBe("waiting");
  });

  it.each([
    ["percent-encoded", urlEncoded("%2Fname=M%C3%BCller+%2B&other")],
    ["multipart", multipart('name="/name"', [...new TextEncoder().encode("Müller +")])],
  ])("keeps every character of valid UTF-8 (%s)", async (_, request) => {
    const { stepwell, app, asked, send } = await openForms();
    const { run, link } = await asked({ name: { type: "string" } });
    expect(await send(link.url, request)).toMatchObject({ status: 200 });
    const { steps } = await stepwell.runs.wait(app, run.id);
    expect(steps.find(({ key }) => key === "ask")?.output).toEqual({ name: "Müller +" });
  });
});

describe("a part of a submitted form", () => {
  it.each([
    ["two Content-Disposition headers", 'name="/name"\r\ncontent-disposition: form-data; name="/other"'],
    ["a Content-Transfer-Encoding", 'name="/name"\r\ncontent-transfer-encoding: base64'],
    ["a header that is not one", 'name="/name"\r\nno header'],
    ["no name", "filename=a"],
  ])("is refused with %s, as the part of an upload is", async (_, head) => {
    const { asked, send } = await openForms();
    const { link } = await asked({ name: { type: "string" } });
    expect(await send(link.url, multipart(head, [0x61]))).toMatchObject({ status: 400 });
  });
});
