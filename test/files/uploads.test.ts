/** Multipart uploads: accepted and rejected ones; a rejected one leaves the upload URL open. */
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Content } from "../../src/uploads/uploads.ts";
import {
  BLOCK,
  bytes,
  createService,
  FORM,
  form,
  outcome,
  post,
  type Service,
  streamOf,
} from "../support/files/service.ts";
import { begun, patch, tus } from "../support/files/tus.ts";

const NOW = Date.UTC(2030, 0, 1);
let service: Service;
beforeEach(async () => {
  service = await createService({ now: () => NOW });
});
afterEach(() => expect(service.errors).toEqual([]));

async function send(body: Parameters<typeof post>[2], headers?: Record<string, string>) {
  const { upload_url } = await service.address();
  return post(service, upload_url, body, headers);
}

const content = async (fileId: string) => (await service.call(`/files/${fileId}/content`)).text();

describe("a multipart upload", () => {
  it("returns the file with the promised id and stores its bytes", async () => {
    const { upload_url, future_file_id, expires_at } = await service.address();
    const response = await post(service, upload_url, form("hello"));
    expect(response.status).toBe(201);
    expect(await response.json()).toEqual({
      id: future_file_id,
      app_id: service.app.id,
      name: "a.txt",
      size: 5,
      mime_type: "text/plain",
      name_type: "text/plain",
      sha256: "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824",
      visibility: "PRIVATE",
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      expires_at: null,
    });
    expect(await content(future_file_id)).toBe("hello");
    expect(Date.parse(expires_at)).toBe(NOW + 24 * 3_600_000);
  });

  it("accepts FormData of the runtime", async () => {
    const data = new FormData();
    data.append("file", new Blob(["ü".repeat(100_000)]), "日本 🎉.txt");
    const { upload_url, future_file_id } = await service.address();
    const response = await service.fetch(new Request(upload_url, { method: "POST", body: data }));
    expect(await response.json()).toMatchObject({ name: "日本 🎉.txt", size: 200_000 });
    expect(await content(future_file_id)).toBe("ü".repeat(100_000));
  });

  it.each([0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK])("accepts %i bytes", async (size) => {
    const { upload_url, future_file_id } = await service.address();
    expect((await post(service, upload_url, form("x".repeat(size)))).status).toBe(201);
    expect(await content(future_file_id)).toBe("x".repeat(size));
  });

  it("accepts content that resembles a boundary at any place", async () => {
    for (const like of ["\r\n--", "\r\n-", "\r\n--B", "\r\n--a", "x--b", "\n--b", "\r--b", "\r\n\r\n--", "\r\r\n-"]) {
      for (const before of ["", "x".repeat(BLOCK - 3)]) {
        const { upload_url, future_file_id } = await service.address();
        expect((await post(service, upload_url, form(before + like))).status).toBe(201);
        expect(await content(future_file_id)).toBe(before + like);
      }
    }
  });

  it("is the same for any split of its body", async () => {
    const body = bytes(
      `preamble\r\n${form("first\r\n--\r\n-second\r\n--", 'form-data; name="file"; filename="ä\\"日.txt"')}end--b--`,
    );
    const cuts = fc.uniqueArray(fc.integer({ min: 1, max: body.length - 1 }), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(cuts, async (places) => {
        const edges = [0, ...places.sort((a, b) => a - b), body.length];
        const pieces = edges.slice(1).map((end, index) => body.slice(edges[index], end));
        const response = await send(streamOf(pieces));
        expect(await response.json()).toMatchObject({ name: 'ä"日.txt', size: 22 });
      }),
      { numRuns: 60 },
    );
  });

  it("is the same byte by byte and when split at any place", async () => {
    const body = bytes(form("x\r\n--y\r\n"));
    const { upload_url, future_file_id } = await service.address();
    expect((await post(service, upload_url, streamOf([...body].map((byte) => Uint8Array.of(byte))))).status).toBe(201);
    expect(await content(future_file_id)).toBe("x\r\n--y\r\n");
    const { sha256 } = await (await send(body)).json();
    for (let place = 0; place <= body.length; place++) {
      const response = await send(streamOf([body.slice(0, place), body.slice(place)]));
      expect([place, await response.json()]).toEqual([place, expect.objectContaining({ sha256, name: "a.txt" })]);
    }
  });

  it.each([
    ["one character", "1", "1"],
    ["seventy characters", "'()+_,-./:=?".padEnd(70, "x"), `"${"'()+_,-./:=?".padEnd(70, "x")}"`],
  ])("accepts a boundary of %s", async (_, boundary, written) => {
    const body = form("hello").replaceAll("--b", `--${boundary}`);
    const response = await send(body, { "content-type": `Multipart/Form-Data; charset=utf-8; Boundary=${written}` });
    expect(await response.json()).toMatchObject({ size: 5 });
  });
});

describe("the name of an uploaded file", () => {
  it.each([
    ["plain", 'filename="a b.txt"', "a b.txt"],
    ["without quotes", "filename=a.txt", "a.txt"],
    ["absent", "", "file"],
    ["empty", 'filename=""', "file"],
    ["a path", 'filename="../../etc/passwd"', "passwd"],
    ["a path of Windows", 'filename="C:\\x\\y.txt"', "y.txt"],
    ["only a path", 'filename="../.."', "file"],
    ["with quotes, as browsers send it", 'filename="a%22b.txt"', 'a"b.txt'],
    ["with quotes, as curl sends it", 'filename="a\\"b.txt"', 'a"b.txt'],
    ["with a line break, as browsers send it", 'filename="a%0D%0Ab.txt"', "ab.txt"],
    ["beyond Latin-1", 'filename="日本🎉.txt"', "日本🎉.txt"],
    ["by RFC 8187", "filename=\"x.txt\"; filename*=UTF-8''%e2%82%ac%20rates.txt", "€ rates.txt"],
    ["that reads backwards", 'filename="\u202egpj.exe"', "gpj.exe"],
    ["with a semicolon", 'filename="a;b.txt"', "a;b.txt"],
    ["of 5,000 characters", `filename="${"🎉".repeat(3_500)}"`, "🎉".repeat(255)],
    ["of 5,000 characters with an ending", `filename="${"🎉".repeat(3_500)}.pdf"`, `${"🎉".repeat(251)}.pdf`],
    ["of a long ending", `filename="${"a".repeat(300)}.${"b".repeat(16)}"`, `${"a".repeat(238)}.${"b".repeat(16)}`],
    [
      "of a part after a dot that is no ending",
      `filename="${"a".repeat(250)}.${"b".repeat(17)}"`,
      `${"a".repeat(250)}.bbbb`,
    ],
    ["of a dot at its start", `filename=".${"a".repeat(300)}"`, `.${"a".repeat(254)}`],
  ])("is accepted and sanitized when it is %s", async (_, parameter, name) => {
    const response = await send(form("x", `form-data; name="file"; ${parameter}`));
    expect(await response.json()).toMatchObject({ name });
  });

  it("is the file_name of the upload URL if there is one", async () => {
    const { upload_url } = await service.address({ file_name: "../contract.pdf" });
    expect(await (await post(service, upload_url, form("x"))).json()).toMatchObject({ name: "contract.pdf" });
  });
});

describe("an invalid multipart body", () => {
  const part = (headers: string, text = "x") => `--b\r\n${headers}\r\n\r\n${text}\r\n--b--\r\n`;
  const two = form("one").replace("--b--\r\n", form("two"));
  const cases: [title: string, body: string, expected: string, type?: string][] = [
    ["empty", "", "400 malformed"],
    ["without a part", "--b--\r\n", "400 malformed"],
    ["text", "hello", "400 malformed"],
    ["without the last boundary", form("hello").replace("\r\n--b--\r\n", ""), "400 malformed"],
    ["cut in the last boundary", form("hello").replace("--b--\r\n", "--b-"), "400 malformed"],
    ["cut in the headers", "--b\r\nContent-Dispo", "400 malformed"],
    ["with LF for CRLF", form("hello").replaceAll("\r\n", "\n"), "400 malformed"],
    ["with another name", form("x", 'form-data; name="data"; filename="a"'), "400 malformed"],
    ["with the name in another case", form("x", 'form-data; name="File"; filename="a"'), "400 malformed"],
    ["without a name", form("x", "form-data"), "400 malformed"],
    ["without a disposition", part("Content-Type: text/plain"), "400 malformed"],
    ["with two parts named file", two, "400 malformed"],
    [
      "with another part after the file",
      two
        .replace(/file"; filename="a.txt"(?=[\s\S]*two)/, 'x"')
        .replace('name="file"; filename="a.txt"\r\n\r\ntwo', 'name="note"\r\n\r\ntwo'),
      "400 malformed",
    ],
    [
      "with 10,000 parts",
      `${"--b\r\nContent-Disposition: form-data; name=x\r\n\r\n\r\n".repeat(10_000)}--b--`,
      "400 malformed",
    ],
    [
      "with 10,000 headers",
      part(`${"X: y\r\n".repeat(10_000)}Content-Disposition: form-data; name=file`),
      "400 malformed",
    ],
    ["with a header of 1 MB", part(`X: ${"y".repeat(1_000_000)}`), "400 malformed"],
    ["with an invalid header", part("nonsense"), "400 malformed"],
    ["with NUL in a header", form("x", 'form-data; name="file"; filename="a\0b"'), "400 malformed"],
    ["in base64", form("aGk=", undefined, "Content-Transfer-Encoding: base64\r\n"), "400 malformed"],
    ["with a preamble of 1 MB", "x".repeat(1_000_000) + form("x"), "400 malformed"],
    ["with an epilogue of 1 MB", form("x") + "x".repeat(1_000_000), "400 malformed"],
    ["without a boundary", form("x"), "400 malformed", "multipart/form-data"],
    ["with a quote in its boundary", form("x"), "400 malformed", 'multipart/form-data; boundary="b\\""'],
    ["with an empty boundary", form("x"), "400 malformed", 'multipart/form-data; boundary=""'],
    ["with another boundary", form("x"), "400 malformed", "multipart/form-data; boundary=c"],
    ["of another type", "hello", "415 unsupported_media_type", "text/plain"],
    ["of no type", "hello", "415 unsupported_media_type", ""],
    ["of mixed parts", form("x"), "415 unsupported_media_type", "multipart/mixed; boundary=b"],
  ];

  it.each(cases)("is rejected: %s", async (_, body, expected, type = FORM) => {
    const { upload_url, future_file_id } = await service.address();
    const sent = bytes(body);
    const pieces = [sent.slice(0, sent.length >> 1), sent.slice(sent.length >> 1)];
    expect(await outcome(await post(service, upload_url, sent, { "content-type": type }))).toBe(expected);
    expect(await outcome(await post(service, upload_url, streamOf(pieces), { "content-type": type }))).toBe(expected);
    expect(await service.blocks()).toBe(0);
    expect((await service.call(`/files/${future_file_id}`)).status).toBe(404);
    expect((await post(service, upload_url, form("then again"))).status).toBe(201);
  });

  it("is answered with 201 or 400 for any corruption", async () => {
    const whole = bytes(form("content", undefined, "Content-Type: text/plain\r\n"));
    const spoilt = fc.tuple(fc.nat(whole.length), fc.nat(8), fc.uint8Array({ maxLength: 8 }), fc.nat(whole.length));
    await fc.assert(
      fc.asyncProperty(spoilt, async ([at, removed, put, cut]) => {
        const body = Uint8Array.from([...whole.slice(0, at), ...put, ...whole.slice(at + removed)]);
        const one = await outcome(await send(body));
        expect(["201", "400 malformed"]).toContain(one);
        expect(await outcome(await send(streamOf([body.slice(0, cut), body.slice(cut)])))).toBe(one);
      }),
      { numRuns: 80 },
    );
  });
});

describe("files.receive", () => {
  it.each<[title: string, content: unknown, pointer: string, is: string]>([
    ["nothing", undefined, "/body", "undefined"],
    ["no body", {}, "/body", "undefined"],
    ["null", { body: null }, "/body", "null"],
    ["a text", { body: "hello" }, "/body", "string"],
    ["a Blob itself", { body: new Blob(["hello"]) }, "/body", "Blob"],
    [
      "a stream of texts",
      { body: new Blob(["hello"]).stream().pipeThrough(new TextDecoderStream()) },
      "/body",
      "string",
    ],
    ["a name that is not a string", { name: 5, body: bytes("hello") }, "/name", "number"],
  ])("rejects %s and keeps the upload URL usable", async (_, content, pointer, is) => {
    const { upload_url } = await service.address();
    const id = upload_url.split("/").at(-1) ?? "";
    const refused = service.uploads.receive(id, content as Content);
    await expect(refused).rejects.toMatchObject({ code: "invalid", message: expect.stringContaining(is) });
    await expect(refused).rejects.toMatchObject({ errors: [{ pointer }] });
    expect(await service.blocks()).toBe(0);
    expect(await service.uploads.receive(id, { body: bytes("hello") })).toMatchObject({ size: 5, name: "file" });
  });
});

describe("the limits of an upload URL", () => {
  it("accept max_size bytes and not one more, with and without Content-Length", async () => {
    for (const headers of [{ "content-type": FORM }, { "content-type": FORM, "content-length": "1000000" }]) {
      const { upload_url } = await service.address({ max_size: 100 });
      const more = streamOf([bytes(form("x".repeat(101)))]);
      expect(await outcome(await post(service, upload_url, more, headers))).toBe("413 too_large");
      expect(await service.blocks()).toBe(headers["content-length"] === undefined ? 0 : 2);
      expect((await post(service, upload_url, form("x".repeat(100)))).status).toBe(201);
    }
  });

  it("reject an announced size without reading the body", async () => {
    const { upload_url } = await service.address({ max_size: 100 });
    const unread = new ReadableStream<Uint8Array>({ pull: () => expect.unreachable() }, { highWaterMark: 0 });
    const headers = { "content-type": FORM, "content-length": "1000000" };
    expect(await outcome(await post(service, upload_url, unread, headers))).toBe("413 too_large");
  });

  it("check the type by content, not by name", async () => {
    const png = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89\0\0\0\0IDAT";
    const image = Uint8Array.from(png, (character) => character.charCodeAt(0));
    const { upload_url } = await service.address({ allowed_types: ["image/*"] });
    const named = 'form-data; name="file"; filename="a.png"';
    for (const wrong of [
      form("not a picture", named),
      form("%PDF-1.4", named),
      form("", named),
      form("\0\x01", named),
    ]) {
      expect(await outcome(await post(service, upload_url, wrong))).toBe("415 unsupported_media_type");
    }
    const [before, after] = form("|", 'form-data; name="file"; filename="a.txt"').split("|");
    const right = streamOf([bytes(before ?? ""), image, bytes(after ?? "")]);
    expect(await (await post(service, upload_url, right)).json()).toMatchObject({ mime_type: "image/png" });
  });

  it.each([
    ["a.csv", "a,b\n1,2", "text/csv"],
    ["a.json", "{}", "application/json"],
    ["a.svg", "<svg/>", "image/svg+xml"],
    ["a.svg", '<?xml version="1.0"?><svg/>', "image/svg+xml"],
    ["a.csv", "%PDF-1.7", "application/pdf"],
    ["a.pdf", "not a pdf", "text/plain"],
    ["a", "text", "text/plain"],
    ["a.txt", "\0\x01\x02", "application/octet-stream"],
    ["a.csv", "", "text/csv"],
    ["a", "", "application/octet-stream"],
    ["a.docx", "PK\x03\x04 no more", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"],
  ])("type a file named %s with the content %j as %s", async (name, text, type) => {
    const response = await send(form(text, `form-data; name="file"; filename="${name}"`));
    expect(await response.json()).toMatchObject({ mime_type: type });
  });

  it.each([
    [{ max_size: 0 }, "/max_size"],
    [{ max_size: 1.5 }, "/max_size"],
    [{ max_size: 6 * 1024 ** 3 }, "/max_size"],
    [{ expires_in: 0 }, "/expires_in"],
    [{ expires_in: 31 * 86_400 }, "/expires_in"],
    [{ allowed_types: [] }, "/allowed_types"],
    [{ allowed_types: ["image"] }, "/allowed_types/0"],
    [{ allowed_types: ["*/png"] }, "/allowed_types/0"],
    [{ visibility: "public" }, "/visibility"],
    [{ file_name: "" }, "/file_name"],
    [{ maxSize: 1 }, "/maxSize"],
  ])("%j is rejected with the pointer %s", async (input, pointer) => {
    const headers = { "content-type": "application/json" };
    const response = await service.call("/files/uploads", { method: "POST", body: JSON.stringify(input), headers });
    expect(response.status).toBe(422);
    expect((await response.json()).errors[0].pointer).toBe(pointer);
  });

  it.each([undefined, "{}"])("are optional: creates an upload URL from the body %j", async (body) => {
    const headers = { "content-type": "application/json" };
    const response = await service.call("/files/uploads", {
      method: "POST",
      headers,
      ...(body === undefined ? {} : { body }),
    });
    expect(response.status).toBe(201);
    const { upload_url, future_file_id } = await response.json();
    expect(upload_url).toMatch(
      /^https:\/\/stepwell\.test\/automation\/public\/apps\/files\/uploads\/fupl_[0-9a-z]{32}$/,
    );
    expect(future_file_id).toMatch(/^afile_[0-9a-z]{26}$/);
    expect(response.headers.get("location")).toBe(upload_url);
  });
});

describe("a request to an upload URL", () => {
  it.each<[string, (url: string) => Promise<Response>]>([
    ["multipart", (url) => post(service, url, form("hello"))],
    ["a page", (url) => service.fetch(new Request(url, { headers: { accept: "text/html" } }))],
    ["tus POST", (url) => tus(service, "POST", url, { headers: { "upload-length": "5" } })],
    ["tus HEAD", (url) => tus(service, "HEAD", url)],
    ["tus PATCH of the last chunk", (url) => patch(service, url, 0, bytes("hello"))],
    ["tus DELETE", (url) => tus(service, "DELETE", url)],
  ])("looks up the upload document once: %s", async (_, send) => {
    const { upload_url } = await service.address();
    const uploadUrl = await begun(service, upload_url, 5);
    const lookup = vi.spyOn(service.store, "get");
    expect((await send(uploadUrl)).ok).toBe(true);
    expect(lookup.mock.calls.filter(([key]) => key.startsWith("upload:"))).toHaveLength(1);
  });
});
