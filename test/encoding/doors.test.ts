/** Every place that decodes bytes from outside: text arrives decoded, other bytes arrive unchanged. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { searxng } from "../../adapters/search/index.ts";
import type { Step } from "../../src/index.ts";
import { openService, type Service } from "../support/engine/service.ts";
import { concat, NAMES, NAMES_1252, PNG, PNG_BASE64, utf16 } from "../support/files/byte-samples.ts";
import { openServer, type Server } from "../support/servers/http-server.ts";

const BASE = "https://example.com/auto";
const BOUNDARY = "cut-here";
let server: Server;
let service: Service;
/** The response of the server. */
let answer: { readonly bytes: Uint8Array; readonly type: string };

beforeAll(async () => {
  server = await openServer(() => ({ headers: { "content-type": answer.type }, body: answer.bytes }));
  service = await openService({ net: server.net, baseUrl: BASE, webSearch: searxng({ url: server.url }) });
  for (const path of ["raw", "form"]) {
    await service.deploy([{ type: "input", key: "in", input: {}, webhook: { method: "POST", path } }]);
  }
});
afterAll(async () => {
  await service.stepwell.close();
  await server.close();
});

const action = (key: string, name: string, input: Record<string, unknown>): Step =>
  ({ type: "service", key, service: { service: "files", action: name, input } }) as Step; // the inputs under test are valid

async function outputOf(steps: readonly Step[], input = {}): Promise<unknown> {
  const { output, error } = await service.run(steps, input);
  return error === null ? output : error.code;
}

async function webhook(path: string, body: Uint8Array, type: string): Promise<unknown> {
  const headers = { "content-type": type, prefer: "wait=9999" };
  const init = { method: "POST", headers, body: Uint8Array.from(body) };
  const url = `${BASE}/public/apps/hooks/${service.app}/${path}`;
  return (await service.stepwell.fetch(new Request(url, init))).json();
}

function multipart(bytes: Uint8Array, type: string, name = "field"): Uint8Array {
  const file = `; filename="M\u00fcller.bin"\r\nContent-Type: ${type}`;
  const head = `Content-Disposition: form-data; name="${name}"${type === "" ? "" : file}`;
  return concat(`--${BOUNDARY}\r\n${head}\r\n\r\n`, bytes, `\r\n--${BOUNDARY}--\r\n`);
}

async function upload(bytes: Uint8Array, name: string): Promise<string> {
  const { upload_url, future_file_id } = await service.stepwell.files.createUpload(service.app, {});
  const head = `Content-Disposition: form-data; name="file"; filename="${name}"`;
  const body = Uint8Array.from(concat(`--${BOUNDARY}\r\n${head}\r\n\r\n`, bytes, `\r\n--${BOUNDARY}--\r\n`));
  const headers = { "content-type": `multipart/form-data; boundary=${BOUNDARY}` };
  const response = await service.stepwell.fetch(new Request(upload_url, { method: "POST", headers, body }));
  expect(response.status).toBe(201);
  return future_file_id;
}

async function bytesOf(fileId: string): Promise<Uint8Array> {
  const { body } = await service.stepwell.files.content(service.app, fileId);
  return new Uint8Array(await new Response(body).arrayBuffer());
}

const request: Step = { type: "http_request", key: "call", url: "/" };
async function http(bytes: Uint8Array, type: string): Promise<unknown> {
  answer = { bytes, type };
  return outputOf([{ ...request, url: server.url } as Step]);
}
async function page(bytes: Uint8Array, type: string): Promise<unknown> {
  answer = { bytes, type };
  return outputOf([{ type: "browser", key: "page", url: server.url }]);
}
async function search(bytes: Uint8Array, type: string): Promise<unknown> {
  answer = { bytes, type };
  const step = { service: "web_search", action: "search", input: { query: "names" } };
  return outputOf([{ type: "service", key: "found", service: step }]);
}
async function fileFromUrl(bytes: Uint8Array, type: string): Promise<unknown> {
  answer = { bytes, type };
  const { upload_url, future_file_id } = await service.stepwell.files.createUpload(service.app, {});
  const init = { method: "POST", headers: { "content-type": "application/json" } };
  const body = JSON.stringify({ file_url: `${server.url}/names.csv` });
  const response = await service.stepwell.fetch(new Request(upload_url, { ...init, body }));
  const { mime_type } = await response.json();
  return { mime_type, bytes: await bytesOf(future_file_id) };
}
const read = async (bytes: Uint8Array, name: string) =>
  outputOf([action("read", "read", { file_id: await upload(bytes, name) })]);
const extract = async (bytes: Uint8Array, name: string) =>
  outputOf([action("text", "extract_text", { file_id: await upload(bytes, name) })]);
const create = async (base64: string) => {
  const made = action("made", "create", { name: "a.png", base64 });
  const run = await service.run([made]);
  return bytesOf(String((run.output as { id: string }).id));
};

const html = concat("<html><head><meta charset=iso-8859-1></head><body><p>", NAMES_1252, "</p></body></html>");
const json = concat('{"name":"', NAMES_1252, '"}');
const base64 = (mime_type: string | null) => ({ body: PNG_BASE64, encoding: "base64", mime_type });
const pngFile = (mime_type: string) => ({
  body: null,
  file: { mime_type: "image/png", size: PNG.length, id: expect.stringMatching(/^afile_/) },
  mime_type,
});
const text = (mime_type: string, body: unknown = NAMES) => ({ body, file: null, mime_type });
const FORM = `multipart/form-data; boundary=${BOUNDARY}`;
const URLENCODED = "application/x-www-form-urlencoded";

describe("text and bytes from outside", () => {
  it.each<[string, () => Promise<unknown>, unknown]>([
    ["a PNG through http_request", () => http(PNG, "image/png"), pngFile("image/png")],
    ["a PNG called text through http_request", () => http(PNG, "text/plain; charset=utf-8"), pngFile("text/plain")],
    ["a PNG called JSON through http_request", () => http(PNG, "application/json"), pngFile("application/json")],
    [
      "text in ISO-8859-1 through http_request",
      () => http(NAMES_1252, "text/plain; charset=ISO-8859-1"),
      text("text/plain"),
    ],
    [
      "text that does not name its encoding through http_request",
      () => http(NAMES_1252, "text/plain"),
      text("text/plain"),
    ],
    [
      "text that is falsely called UTF-8 through http_request",
      () => http(NAMES_1252, "text/csv; charset=utf-8"),
      text("text/csv"),
    ],
    [
      "JSON in ISO-8859-1 through http_request",
      () => http(json, "application/json; charset=iso-8859-1"),
      text("application/json", { name: NAMES }),
    ],
    ["UTF-16 with a mark through http_request", () => http(utf16(NAMES, "be", true), "text/plain"), text("text/plain")],
    [
      "UTF-16 by its charset through http_request",
      () => http(utf16(NAMES, "le", false), "text/plain; charset=utf-16le"),
      text("text/plain"),
    ],
    [
      "bytes of no type through http_request",
      () => http(NAMES_1252, "application/octet-stream"),
      { body: null, file: { size: NAMES_1252.length }, mime_type: "application/octet-stream" },
    ],
    [
      "a page in ISO-8859-1 through browser",
      () => page(html, "text/html"),
      { content: expect.stringContaining(NAMES) },
    ],
    [
      "a page by the charset of its header through browser",
      () => page(NAMES_1252, "text/html; charset=windows-1252"),
      { content: NAMES },
    ],
    ["a PNG called a page through browser", () => page(PNG, "text/html"), "unsupported_content"],
    ["a PNG sent to a webhook", () => webhook("raw", PNG, "image/png"), base64("image/png")],
    [
      "text in ISO-8859-1 sent to a webhook",
      () => webhook("raw", NAMES_1252, "text/plain; charset=iso-8859-1"),
      { body: NAMES },
    ],
    ["JSON that is not UTF-8 sent to a webhook", () => webhook("raw", json, "application/json"), { status: 400 }],
    [
      "a form in ISO-8859-1 sent to a webhook",
      () => webhook("form", concat("name=M%FCller%2C+Caf%E9%2C+5+%80"), URLENCODED),
      { name: NAMES },
    ],
    [
      "a form in the charset that it names sent to a webhook",
      () => webhook("form", concat("name=%B3"), `${URLENCODED}; charset=iso-8859-2`),
      { name: "ł" },
    ],
    [
      "a form of bytes that are no text sent to a webhook",
      () => webhook("form", concat("name=%89PNG%0D%0A%1A%0A%00"), URLENCODED),
      { status: 400 },
    ],
    [
      "a field in ISO-8859-1 of a form of parts",
      () => webhook("form", multipart(NAMES_1252, ""), FORM),
      { field: NAMES },
    ],
    [
      "a field in UTF-8 of a form of parts",
      () => webhook("form", multipart(concat(NAMES), "", "größe"), FORM),
      { größe: NAMES },
    ],
    [
      "a text file in ISO-8859-1 of a form of parts",
      () => webhook("form", multipart(NAMES_1252, "text/plain"), FORM),
      { field: NAMES },
    ],
    [
      "a PNG of a form of parts",
      () => webhook("form", multipart(PNG, "image/png"), FORM),
      { field: { ...base64("image/png"), name: "Müller.bin" } },
    ],
    ["a PNG by file_url", () => fileFromUrl(PNG, "text/csv"), { mime_type: "image/png", bytes: PNG }],
    [
      "a CSV in windows-1252 by file_url",
      () => fileFromUrl(NAMES_1252, "application/octet-stream"),
      { mime_type: "text/csv", bytes: NAMES_1252 },
    ],
    ["a PNG through files.read", () => read(PNG, "a.png"), { text: null, base64: PNG_BASE64, mime_type: "image/png" }],
    [
      "a CSV in windows-1252 through files.read",
      () => read(NAMES_1252, "a.csv"),
      { text: NAMES, base64: null, mime_type: "text/csv" },
    ],
    ["a CSV in windows-1252 through files.extract_text", () => extract(NAMES_1252, "a.csv"), { text: NAMES }],
    [
      "a text in UTF-16 without a mark through files.extract_text",
      () => extract(utf16(NAMES, "le", false), "a.txt"),
      { text: NAMES },
    ],
    ["a PNG through files.create", () => create(PNG_BASE64), PNG],
    [
      "half a character through files.create",
      () => outputOf([action("made", "create", { name: "a.txt", text: "{{ input.half }}" })], { half: "a\ud800" }),
      "invalid_input",
    ],
    [
      "the results of a search in ISO-8859-1",
      () =>
        search(
          concat('{"results":[{"url":"http://a.test/","title":"', NAMES_1252, '"}]}'),
          "application/json; charset=iso-8859-1",
        ),
      { results: [{ title: NAMES, url: "http://a.test/", snippet: "" }] },
    ],
    ["a PNG as the results of a search", () => search(PNG, "application/json"), "step_failed"],
  ])("are decoded or kept as bytes: %s", async (_, act, expected) => {
    const got = await act();
    if (typeof expected === "object" && !(expected instanceof Uint8Array))
      expect(got).toMatchObject(expected as object);
    else expect(got).toEqual(expected);
  });

  it("fail a request with the size of an error response that is not text", async () => {
    const broken = await openServer(() => ({ status: 400, headers: { "content-type": "image/png" }, body: PNG }));
    const failing = await openService({ net: broken.net });
    const { error } = await failing.run([{ type: "http_request", key: "call", url: broken.url }]);
    expect(error?.message).toMatch(/responded with 400: 70 bytes that are not text$/);
    await failing.stepwell.close();
    await broken.close();
  });

  it("fail a request with too_large when a text is larger than an output", async () => {
    expect(await http(new Uint8Array(10 * 1024 * 1024 + 1).fill(0x20), "text/plain")).toBe("too_large");
  });
});

describe("the body of an http_request", () => {
  it.each([
    ["an object", { a: [1] }, "application/json", '{"a":[1]}'],
    ["a list", [1, "x"], "application/json", '[1,"x"]'],
    ["a text", "a=1", "text/plain;charset=UTF-8", "a=1"],
  ])("that is %s gets a matching Content-Type", async (_, body, type, sent) => {
    answer = { bytes: concat("ok"), type: "text/plain" };
    const call = { ...request, url: server.url, method: "POST", body: "{{ input.body }}" } as Step;
    await service.run([{ type: "input", key: "in", input: {} }, call], { body });
    expect(server.received.at(-1)).toMatchObject({ headers: { "content-type": type }, body: sent });
  });

  it("keeps the Content-Type that the author set", async () => {
    const headers = { "Content-Type": "application/vnd.api+json" };
    const call = { ...request, url: server.url, method: "POST", body: "{{ input.body }}", headers } as Step;
    await service.run([{ type: "input", key: "in", input: {} }, call], { body: {} });
    expect(server.received.at(-1)).toMatchObject({ headers: { "content-type": "application/vnd.api+json" } });
  });
});

describe("a file in an encoding that its sender declares", () => {
  const TEXT = "Имя;Город\r\nАнна;Москва\r\n";
  /** ISO-8859-5 (Latin/Cyrillic): the letters from U+0410 on are in the order of Unicode. */
  const CYRILLIC = Uint8Array.from(TEXT, (letter) => {
    const code = letter.charCodeAt(0);
    return code < 0x80 ? code : code - 0x410 + 0xb0;
  });
  const TYPE = "text/csv; charset=ISO-8859-5";

  async function readBack(fileId: string): Promise<unknown> {
    const { mime_type, charset } = await service.stepwell.files.get(service.app, fileId);
    const read = (await outputOf([action("read", "read", { file_id: fileId })])) as { text: string | null };
    return { mime_type, charset, text: read.text, extracted: await service.stepwell.files.text(service.app, fileId) };
  }
  const AS_SENT = {
    ...{ mime_type: "text/csv", charset: "iso-8859-5", text: TEXT },
    extracted: TEXT.replaceAll("\r\n", "\n"),
  };

  it("is read as text after files.create", async () => {
    const { id } = await service.stepwell.files.create(service.app, { name: "a.csv", body: CYRILLIC, type: TYPE });
    expect(await readBack(id)).toEqual(AS_SENT);
    const { headers } = await service.stepwell.fetch(
      new Request((await service.stepwell.files.createLink(service.app, id)).url),
    );
    expect(headers.get("content-type")).toBe("text/csv; charset=iso-8859-5");
  });

  it("is read as text after an upload as multipart/form-data", async () => {
    const { upload_url, future_file_id } = await service.stepwell.files.createUpload(service.app, {});
    const head = `Content-Disposition: form-data; name="file"; filename="a.csv"\r\nContent-Type: ${TYPE}`;
    const body = Uint8Array.from(concat(`--${BOUNDARY}\r\n${head}\r\n\r\n`, CYRILLIC, `\r\n--${BOUNDARY}--\r\n`));
    const headers = { "content-type": `multipart/form-data; boundary=${BOUNDARY}` };
    await service.stepwell.fetch(new Request(upload_url, { method: "POST", headers, body }));
    expect(await readBack(future_file_id)).toEqual(AS_SENT);
  });

  it("is read as text after a resumable upload with the metadata filetype", async () => {
    const { upload_url, future_file_id } = await service.stepwell.files.createUpload(service.app, {});
    const metadata = `filename ${btoa("a.csv")},filetype ${btoa(TYPE)}`;
    const headers = { "tus-resumable": "1.0.0", "upload-length": String(CYRILLIC.length), "upload-metadata": metadata };
    const created = { ...headers, "content-type": "application/offset+octet-stream" };
    await service.stepwell.fetch(
      new Request(upload_url, { method: "POST", headers: created, body: Uint8Array.from(CYRILLIC) }),
    );
    expect(await readBack(future_file_id)).toEqual(AS_SENT);
  });

  it("is read as text after an upload by URL", async () => {
    answer = { bytes: CYRILLIC, type: TYPE };
    const { upload_url, future_file_id } = await service.stepwell.files.createUpload(service.app, {
      file_name: "a.csv",
    });
    const body = JSON.stringify({ file_url: server.url });
    const headers = { "content-type": "application/json" };
    await service.stepwell.fetch(new Request(upload_url, { method: "POST", headers, body }));
    expect(await readBack(future_file_id)).toEqual(AS_SENT);
  });

  it("keeps no encoding that is UTF-8, unknown, or of bytes that are no text", async () => {
    const charsetOf = async (name: string, body: Uint8Array, type: string) =>
      (await service.stepwell.files.create(service.app, { name, body, type })).charset;
    expect(await charsetOf("a.csv", CYRILLIC, "text/csv; charset=utf-8")).toBeUndefined();
    expect(await charsetOf("a.csv", CYRILLIC, "text/csv; charset=klingon")).toBeUndefined();
    expect(await charsetOf("a.png", PNG, "text/csv; charset=iso-8859-5")).toBeUndefined();
  });
});
