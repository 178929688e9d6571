/** Uploads by file_url, through the guarded fetch. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createService, outcome, post, type Service } from "../support/files/service.ts";

const site = createServer(({ url = "" }, response) => {
  const path = url.split("?")[0] ?? "";
  if (path === "/big") return void response.end("x".repeat(100_000));
  if (path === "/named") {
    response.setHeader("content-disposition", "inline; filename=\"x\"; filename*=UTF-8''r%C3%A9sum%C3%A9.pdf");
    return void response.end("%PDF-1.7");
  }
  if (path === "/away") return void response.writeHead(302, { location: "/files/a%20b.csv" }).end();
  if (path === "/inside") return void response.writeHead(302, { location: "http://10.0.0.1/" }).end();
  if (path === "/cut") {
    response.writeHead(200, { "content-length": "1000" });
    return void response.write("x".repeat(500), () => response.destroy());
  }
  if (/^\/\d+$/.test(path)) return void response.writeHead(Number(path.slice(1))).end("why");
  response.end("a,b\n1,2\n");
});
let host: string;
let service: Service;

beforeAll(async () => {
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  host = `127.0.0.1:${(site.address() as AddressInfo).port}`;
  service = await createService({ allow: [host] });
});
afterAll(() => new Promise((resolve) => site.close(resolve)));
afterEach(async () => {
  expect(service.errors).toEqual([]);
});

const JSON_TYPE = { "content-type": "application/json" };

async function send(body: unknown, input = {}, headers: Record<string, string> = JSON_TYPE) {
  const made = await service.address(input);
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return { ...made, response: await post(service, made.upload_url, text, headers) };
}

describe("uploading by file_url", () => {
  it("stores the bytes of the URL as a file", async () => {
    const { response, future_file_id } = await send({ file_url: `http://${host}/files/a%20b.csv?version=2` });
    expect(response.status).toBe(201);
    expect(await response.json()).toMatchObject({
      id: future_file_id,
      name: "a b.csv",
      size: 8,
      mime_type: "text/csv",
    });
    expect(await (await service.call(`/files/${future_file_id}/content`)).text()).toBe("a,b\n1,2\n");
  });

  it("follows redirects and names the file by the last URL", async () => {
    const { response } = await send({ file_url: `http://${host}/away` });
    expect(await response.json()).toMatchObject({ name: "a b.csv" });
  });

  it("prefers the name in Content-Disposition", async () => {
    const { response } = await send({ file_url: `http://${host}/named` });
    expect(await response.json()).toMatchObject({ name: "résumé.pdf", mime_type: "application/pdf" });
  });

  it.each([
    ["http://10.0.0.1/", "422 address_refused"],
    ["http://169.254.169.254/latest/meta-data/", "422 address_refused"],
    ["http://[::1]/", "422 address_refused"],
    ["http://localhost/", "422 address_refused"],
    ["file:///etc/passwd", "422 address_refused"],
    ["nonsense", "422 address_refused"],
    ["http://HOST/inside", "422 address_refused"],
    ["http://HOST/404", "422 fetch_failed"],
    ["http://HOST/500", "422 fetch_failed"],
    ["http://HOST/204", "422 fetch_failed"],
    ["http://HOST/cut", "422 fetch_failed"],
    ["http://HOST/big", "413 too_large"],
  ])("%s returns %s and keeps the upload URL usable", async (file_url, expected) => {
    const before = await service.blocks();
    const { response, upload_url } = await send({ file_url: file_url.replace("HOST", host) }, { max_size: 99_999 });
    expect(await outcome(response)).toBe(expected);
    expect(await service.blocks()).toBe(before);
    expect((await post(service, upload_url, JSON.stringify({ file_url: `http://${host}/` }), JSON_TYPE)).status).toBe(
      201,
    );
  });

  it("checks the allowed types", async () => {
    const { response } = await send({ file_url: `http://${host}/a.png` }, { allowed_types: ["image/*"] });
    expect(await outcome(response)).toBe("415 unsupported_media_type");
  });

  it.each([
    ["", "400 malformed"],
    ["{", "400 malformed"],
    ['{"file_url":"http://a.test/","__proto__":{}}', "400 malformed"],
    ["null", "422 invalid"],
    ["[]", "422 invalid"],
    ["{}", "422 invalid"],
    ['{"file_url":1}', "422 invalid"],
    ['{"file_url":""}', "422 invalid"],
    ['{"file_url":"http://a.test/","name":"x"}', "422 invalid"],
    [`{"file_url":"http://a.test/${"x".repeat(10_000)}"}`, "422 invalid"],
    [`{"file_url":"${"x".repeat(100_000)}"}`, "413 too_large"],
  ])("with the body %.40s returns %s", async (body, expected) => {
    expect(await outcome((await send(body)).response)).toBe(expected);
  });

  it("rejects a body in another charset than UTF-8", async () => {
    const { upload_url } = await service.address();
    const latin1 = Uint8Array.from('{"file_url":"http://\xe4.test/"}', (character) => character.charCodeAt(0));
    expect(await outcome(await post(service, upload_url, latin1, JSON_TYPE))).toBe("400 malformed");
  });
});
