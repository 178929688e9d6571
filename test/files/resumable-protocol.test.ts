/** tus 1.0.0 at an upload URL: all headers and statuses of the protocol and its announced extensions. */
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createStepwell } from "../../src/create.ts";
import { createTestClock } from "../../src/testing/index.ts";
import { BASE, BLOCK, bytes, createService, FORM, form, outcome, post, streamOf } from "../support/files/service.ts";
import { begun, content, create, cut, offsetOf, patch, sha256, tus } from "../support/files/tus.ts";
import { until } from "../support/until.ts";

const MEBI = 1024 * 1024;
const base64 = (text: string) => btoa(String.fromCharCode(...bytes(text)));
const headersOf = (response: Response, ...names: string[]) => [
  response.status,
  ...names.map((name) => response.headers.get(name)),
];

async function openUpload(input = {}, given = {}) {
  const service = await createService(given);
  const { upload_url, future_file_id, expires_at } = await service.address(input);
  const file = async () => (await service.call(`/files/${future_file_id}`)).json();
  const read = async () => (await service.call(`/files/${future_file_id}/content`)).text();
  return { service, url: upload_url, expiresAt: expires_at, file, read };
}

describe("tus discovery", () => {
  it("returns version, extensions and checksum algorithms without a key", async () => {
    const { service, url } = await openUpload();
    const response = await service.fetch(new Request(url, { method: "OPTIONS" }));
    expect(response.status).toBe(204);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      allow: "GET, POST, PATCH, DELETE, HEAD, OPTIONS",
      "tus-resumable": "1.0.0",
      "tus-version": "1.0.0",
      "tus-extension": "creation,creation-with-upload,creation-defer-length,checksum,termination,expiration",
      "tus-checksum-algorithm": "sha1,sha256,md5",
      "tus-max-size": String(5 * 1024 ** 3),
    });
  });

  it.each(["POST", "HEAD", "PATCH", "DELETE"])("rejects another version: %s", async (method) => {
    const { service, url } = await openUpload();
    const response = await tus(service, method, url, { headers: { "tus-resumable": "0.2.2" } });
    expect(headersOf(response, "tus-version", "tus-resumable")).toEqual([412, "1.0.0", "1.0.0"]);
  });

  it.each(["PATCH", "DELETE"])("rejects a request without a version: %s", async (method) => {
    const { service, url } = await openUpload();
    expect((await tus(service, method, url, { headers: { "tus-resumable": "" } })).status).toBe(412);
  });
});

describe("tus from another origin", () => {
  it("exposes every header of the protocol over CORS", async () => {
    const stepwell = createStepwell({ baseUrl: BASE, cors: { origins: ["https://a.test"] } });
    const { id } = await stepwell.apps.create({ name: "Tests" });
    const { upload_url } = await stepwell.files.createUpload(id);
    const ask = (method: string, headers: Record<string, string>) =>
      stepwell.fetch(new Request(upload_url, { method, headers: { origin: "https://a.test", ...headers } }));
    const { headers } = await ask("OPTIONS", { "access-control-request-method": "PATCH" });
    expect(headers.get("access-control-allow-methods")).toBe("GET, POST, PATCH, DELETE, HEAD, OPTIONS");
    const taken = (headers.get("access-control-allow-headers") ?? "").split(", ");
    for (const name of ["Resumable", "Length", "Defer-Length", "Offset", "Metadata", "Checksum"]) {
      expect(taken).toContain(name === "Resumable" ? "Tus-Resumable" : `Upload-${name}`);
    }
    const answer = await ask("POST", { "tus-resumable": "1.0.0", "upload-length": "10" });
    const readable = (answer.headers.get("access-control-expose-headers") ?? "").toLowerCase().split(", ");
    const sentHeaders = [...answer.headers.keys()].filter((name) => /^(tus|upload)-|^location$/.test(name));
    expect(sentHeaders.length).toBeGreaterThan(5);
    expect(sentHeaders.filter((name) => !readable.includes(name))).toEqual([]);
    await stepwell.close();
  });
});

describe("tus creation", () => {
  it("returns the upload URL with an attempt as Location", async () => {
    const { service, url, expiresAt } = await openUpload({ max_size: 1_000 });
    const response = await create(service, url, { "upload-length": "11" });
    expect(headersOf(response, "tus-resumable", "upload-offset", "upload-length", "tus-max-size")).toEqual([
      ...[201, "1.0.0", "0", "11", "1000"],
    ]);
    const location = response.headers.get("location") ?? "";
    expect(location.startsWith(`${BASE}/public/apps/files/uploads/fupl_`)).toBe(true);
    expect(location.split("?")[0]).toBe(url);
    expect(response.headers.get("upload-expires")).toBe(new Date(expiresAt).toUTCString());
  });

  it("stores a file in chunks, with name and type from the metadata", async () => {
    const { service, url, file, read } = await openUpload();
    const metadata = `filename ${base64("größe.csv")},filetype ${base64("text/csv")},is_final`;
    const response = await create(service, url, { "upload-length": "11", "upload-metadata": metadata });
    const location = response.headers.get("location") ?? "";
    expect(headersOf(await patch(service, location, 0, bytes("a,b\n1")), "upload-offset")).toEqual([204, "5"]);
    const head = await tus(service, "HEAD", location);
    expect(headersOf(head, "upload-offset", "upload-length", "upload-metadata", "cache-control")).toEqual([
      ...[200, "5", "11", metadata, "no-store"],
    ]);
    const last = await patch(service, location, 5, bytes(",2\n3,4"));
    expect(headersOf(last, "upload-offset", "tus-resumable", "upload-expires")).toEqual([204, "11", "1.0.0", null]);
    expect(await file()).toMatchObject({ name: "größe.csv", mime_type: "text/csv", size: 11 });
    expect(await read()).toBe("a,b\n1,2\n3,4");
    expect(service.errors).toEqual([]);
  });

  it("accepts some or all bytes in the creation request", async () => {
    const { service, url, read } = await openUpload();
    const headers = { "upload-length": "6", "content-type": "application/offset+octet-stream" };
    const some = await tus(service, "POST", url, { headers, body: bytes("abc") });
    expect(headersOf(some, "upload-offset")).toEqual([201, "3"]);
    const all = await tus(service, "POST", url, { headers, body: bytes("defghi") });
    expect(headersOf(all, "upload-offset", "upload-expires")).toEqual([201, "6", null]);
    expect(await read()).toBe("defghi");
  });

  it("stores an empty file at once", async () => {
    const { service, url, file } = await openUpload();
    expect(headersOf(await create(service, url, { "upload-length": "0" }), "upload-offset")).toEqual([201, "0"]);
    expect(await file()).toMatchObject({ size: 0, sha256: sha256(new Uint8Array(0)) });
  });

  it("accepts a deferred length", async () => {
    const { service, url, read } = await openUpload();
    const response = await create(service, url, { "upload-defer-length": "1" });
    expect(headersOf(response, "upload-length", "upload-defer-length")).toEqual([201, null, "1"]);
    const location = response.headers.get("location") ?? "";
    await patch(service, location, 0, bytes("abc"));
    expect(headersOf(await tus(service, "HEAD", location), "upload-defer-length")).toEqual([200, "1"]);
    await patch(service, location, 3, bytes("def"), { "upload-length": "9" });
    expect(headersOf(await tus(service, "HEAD", location), "upload-length", "upload-defer-length")).toEqual([
      200,
      "9",
      null,
    ]);
    expect((await patch(service, location, 6, bytes("g"), { "upload-length": "10" })).status).toBe(409);
    await patch(service, location, 6, bytes("ghi"));
    expect(await read()).toBe("abcdefghi");
  });

  it("replaces an earlier partial upload at the same upload URL", async () => {
    const { service, url, read } = await openUpload();
    const first = await begun(service, url, 100);
    await patch(service, first, 0, content(64));
    const second = await begun(service, url, 4);
    expect(second).not.toBe(first);
    expect(await offsetOf(service, url)).toBe(0);
    expect(await service.blocks()).toBe(0);
    expect((await tus(service, "HEAD", first)).status).toBe(404);
    expect((await tus(service, "HEAD", url)).headers.get("content-location")).toBe(second);
    expect(await outcome(await patch(service, first, 64, content(36)))).toBe("404 not_found");
    expect((await tus(service, "DELETE", first)).status).toBe(404);
    await patch(service, second, 0, bytes("mine"));
    expect(await read()).toBe("mine");
  });

  it.each([
    ["no length", {}, "400 malformed"],
    ["both lengths", { "upload-length": "1", "upload-defer-length": "1" }, "400 malformed"],
    ["an invalid length", { "upload-length": "-1" }, "400 malformed"],
    ["a length past all numbers", { "upload-length": "9".repeat(30) }, "400 malformed"],
    ["an invalid deferral", { "upload-defer-length": "2" }, "400 malformed"],
    ["a length that is too large", { "upload-length": "101" }, "413 too_large"],
    ["metadata without base64", { "upload-length": "1", "upload-metadata": "filename a!" }, "400 malformed"],
    ["metadata with a name twice", { "upload-length": "1", "upload-metadata": "a YQ==,a YQ==" }, "400 malformed"],
    ["metadata that is not text", { "upload-length": "1", "upload-metadata": "filename /wAB" }, "400 malformed"],
    ["metadata with an empty pair", { "upload-length": "1", "upload-metadata": "a YQ==,,b" }, "400 malformed"],
    ["parts to put together", { "upload-length": "1", "upload-concat": "partial" }, "400 malformed"],
  ])("rejects %s", async (_, headers, expected) => {
    const { service, url } = await openUpload({ max_size: 100 });
    const response = await create(service, url, headers);
    expect(response.headers.get("tus-resumable")).toBe("1.0.0");
    expect(await outcome(response)).toBe(expected);
    expect((await post(service, url, form("as ever"))).status).toBe(201);
  });
});

describe("an upload URL without a creation request", () => {
  it("starts at offset 0 and accepts chunks", async () => {
    const { service, url, read } = await openUpload();
    const head = await tus(service, "HEAD", url);
    expect(headersOf(head, "upload-offset", "upload-length", "upload-defer-length")).toEqual([200, "0", null, "1"]);
    expect((await patch(service, url, 0, bytes("ab"))).status).toBe(204);
    expect(await offsetOf(service, url)).toBe(2);
    expect((await patch(service, url, 2, bytes("cd"), { "upload-length": "4" })).status).toBe(204);
    expect(await read()).toBe("abcd");
  });

  it("answers GET and HEAD without Tus-Resumable as usual", async () => {
    const { service, url } = await openUpload();
    await patch(service, url, 0, bytes("ab"));
    const plain = await tus(service, "HEAD", url, { headers: { "tus-resumable": "" } });
    expect(headersOf(plain, "upload-offset", "content-type")).toEqual([200, null, "application/json"]);
    expect(await (await service.fetch(new Request(url))).json()).toMatchObject({ status: "open" });
  });
});

describe("a tus chunk", () => {
  it.each([
    ["another offset", 4, {}, "409 conflict"],
    ["an offset beyond the stored bytes", 64, {}, "409 conflict"],
    ["no offset", 5, { "upload-offset": "" }, "400 malformed"],
    ["an invalid offset", 5, { "upload-offset": "five" }, "400 malformed"],
    ["another type of content", 5, { "content-type": "application/octet-stream" }, "415 unsupported_media_type"],
    ["another length", 5, { "upload-length": "12" }, "409 conflict"],
    ["a Content-Length beyond the missing bytes", 5, { "content-length": "7" }, "413 too_large"],
    ["a checksum by an unknown algorithm", 5, { "upload-checksum": "crc32 AAAA" }, "400 malformed"],
    ["an invalid checksum", 5, { "upload-checksum": "sha1 §" }, "400 malformed"],
    ["a wrong checksum", 5, { "upload-checksum": `sha1 ${btoa("x".repeat(20))}` }, "460 checksum_mismatch"],
  ])("is rejected with %s and discarded", async (_, offset, headers, expected) => {
    const { service, url, read } = await openUpload();
    const location = await begun(service, url, 11);
    await patch(service, location, 0, bytes("hello"));
    expect(await outcome(await patch(service, location, offset, bytes(" there"), headers))).toBe(expected);
    expect(await offsetOf(service, location)).toBe(5);
    await patch(service, location, 5, bytes(" world"));
    expect(await read()).toBe("hello world");
    expect(service.errors).toEqual([]);
  });

  it.each(["sha1", "sha256", "md5"])("is accepted with a correct %s checksum", async (algorithm) => {
    const { service, url, file } = await openUpload();
    const all = content(500);
    const location = await begun(service, url, 500);
    for (let at = 0; at < 500; at += 125) {
      const part = all.subarray(at, at + 125);
      const digest = createHash(algorithm).update(part).digest("base64");
      const sent = streamOf([part.subarray(0, 50), part.subarray(50)]);
      const response = await patch(service, location, at, sent, { "upload-checksum": `${algorithm} ${digest}` });
      expect(headersOf(response, "upload-offset")).toEqual([204, String(at + 125)]);
    }
    expect(await file()).toMatchObject({ sha256: sha256(all) });
  });

  it("with a checksum is discarded when the connection breaks", async () => {
    const { service, url } = await openUpload();
    const location = await begun(service, url, 300);
    const digest = createHash("sha1").update(content(300)).digest("base64");
    await patch(service, location, 0, cut(content(200)), { "upload-checksum": `sha1 ${digest}` });
    expect(await offsetOf(service, location)).toBe(0);
    const whole = await patch(service, location, 0, content(300), { "upload-checksum": `sha1 ${digest}` });
    expect(whole.status).toBe(204);
  });

  it("that is repeated is stored once", async () => {
    const { service, url, read } = await openUpload();
    const location = await begun(service, url, 6);
    expect((await patch(service, location, 0, bytes("abc"))).status).toBe(204);
    const again = await patch(service, location, 0, bytes("abc"));
    expect(headersOf(again, "upload-offset")).toEqual([409, "3"]);
    expect((await patch(service, location, 3, bytes("def"))).status).toBe(204);
    expect(await outcome(await patch(service, location, 3, bytes("def")))).toBe("409 upload_used");
    expect(await read()).toBe("abcdef");
  });

  it("is accepted as POST with X-HTTP-Method-Override", async () => {
    const { service, url, read } = await openUpload();
    const location = await begun(service, url, 3);
    const headers = {
      "x-http-method-override": "PATCH",
      "content-type": "application/offset+octet-stream",
      "upload-offset": "0",
    };
    expect((await tus(service, "POST", location, { headers, body: bytes("abc") })).status).toBe(204);
    expect(await read()).toBe("abc");
  });
});

describe("a slow tus chunk", () => {
  const uploadIdOf = (url: string) => url.slice(url.lastIndexOf("/") + 1);

  /** A chunk whose bytes the test sends one by one. */
  async function sending(headers = {}, blockSize = BLOCK) {
    const clock = createTestClock();
    const { service, url } = await openUpload({}, { ...clock, blockSize });
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const sender = writable.getWriter();
    const patched = patch(service, await begun(service, url, 3 * MEBI), 0, readable, headers);
    const acknowledged = async () => (await service.partialUploads.find(uploadIdOf(url)))?.document.blob.size;
    return { clock, sender, patched, acknowledged };
  }

  it("is checkpointed every second, even while no bytes arrive", async () => {
    const { clock, sender, patched, acknowledged } = await sending();
    for (const [count, size] of [100, 1, 250].entries()) {
      const before = (await acknowledged()) ?? 0;
      await sender.write(content(size, count));
      await clock.advance(900);
      expect(await acknowledged()).toBe(before);
      await clock.advance(100);
      expect(await acknowledged()).toBe(before + size);
    }
    await clock.advance(5_000);
    await sender.write(content(7));
    await sender.close();
    expect(headersOf(await patched, "upload-offset")).toEqual([204, "358"]);
    expect(await acknowledged()).toBe(358);
  });

  it("is checkpointed at block boundaries while bytes arrive fast, and completely when they stall", async () => {
    const { clock, sender, patched, acknowledged } = await sending({}, MEBI);
    await sender.write(content(MEBI + 5));
    await clock.advance(1_000);
    expect(await acknowledged()).toBe(0);
    await sender.write(content(MEBI - 5));
    await until(async () => (await acknowledged()) === 2 * MEBI); // a thread hashes
    await sender.write(content(5));
    await clock.advance(1_000);
    expect(await acknowledged()).toBe(2 * MEBI + 5);
    await sender.close();
    await patched;
  });

  it("with a checksum is not checkpointed before its end", async () => {
    const digest = createHash("sha1").update(content(100)).digest("base64");
    const { clock, sender, patched, acknowledged } = await sending({ "upload-checksum": `sha1 ${digest}` });
    await sender.write(content(100));
    await clock.advance(10_000);
    expect(await acknowledged()).toBe(0);
    await sender.close();
    expect((await patched).status).toBe(204);
    expect(await acknowledged()).toBe(100);
  });
});

describe("a finished tus upload", () => {
  it("returns its final offset to a sender that missed the response", async () => {
    const { service, url } = await openUpload();
    const location = await begun(service, url, 3);
    await patch(service, location, 0, bytes("abc"));
    for (const address of [url, location]) {
      const head = await tus(service, "HEAD", address);
      expect(headersOf(head, "upload-offset", "upload-length")).toEqual([200, "3", "3"]);
    }
    expect((await tus(service, "HEAD", `${url}?attempt=blob_other`)).status).toBe(409);
    expect(await outcome(await create(service, url, { "upload-length": "3" }))).toBe("409 upload_used");
    expect(await outcome(await post(service, url, form("x")))).toBe("409 upload_used");
  });

  it("returns the same HEAD headers as before its last chunk", async () => {
    const { service, url } = await openUpload({ max_size: 1_000 });
    const metadata = `filename ${base64("größe.csv")},is_final`;
    const given = { "upload-length": "6", "upload-metadata": metadata };
    const location = (await create(service, url, given)).headers.get("location") ?? "";
    await patch(service, location, 0, bytes("abc"));
    const names = ["upload-length", "upload-metadata", "tus-max-size", "tus-resumable", "content-location"];
    const before = headersOf(await tus(service, "HEAD", location), ...names);
    expect(before).toEqual([200, "6", metadata, "1000", "1.0.0", location]);
    await patch(service, location, 3, bytes("def"));
    for (const address of [url, location]) {
      const head = await tus(service, "HEAD", address);
      expect(headersOf(head, ...names)).toEqual(before);
      expect(headersOf(head, "upload-offset", "upload-defer-length")).toEqual([200, "6", null]);
    }
  });

  it("accepts an empty chunk at its end and rejects any other", async () => {
    const { service, url, read } = await openUpload();
    const location = await begun(service, url, 6);
    await patch(service, location, 0, bytes("abcdef"));
    const nothing = new Uint8Array(0);
    for (const address of [url, location]) {
      for (const body of [nothing, streamOf([]), streamOf([nothing])]) {
        const answer = await patch(service, address, 6, body);
        expect(headersOf(answer, "upload-offset", "upload-length")).toEqual([204, "6", "6"]);
      }
    }
    const digest = createHash("sha1").update(nothing).digest("base64");
    expect((await patch(service, url, 6, nothing, { "upload-checksum": `sha1 ${digest}` })).status).toBe(204);
    const wrong = { "upload-checksum": `sha1 ${btoa("x".repeat(20))}` };
    expect(await outcome(await patch(service, url, 6, nothing, wrong))).toBe("460 checksum_mismatch");
    expect((await patch(service, url, 6, nothing, { "upload-length": "6" })).status).toBe(204);
    expect(await outcome(await patch(service, url, 6, nothing, { "upload-length": "7" }))).toBe("409 conflict");
    for (const [offset, body] of [
      [6, bytes("g")],
      [6, streamOf([nothing, bytes("g")])],
      [3, nothing],
    ] as const) {
      expect(await outcome(await patch(service, location, offset, body))).toBe("409 upload_used");
    }
    expect(await outcome(await patch(service, `${url}?attempt=blob_other`, 6, nothing))).toBe("409 upload_used");
    expect(await read()).toBe("abcdef");
    expect(service.errors).toEqual([]);
  });

  it("is not reported when another file used the upload URL", async () => {
    const { service, url, read } = await openUpload();
    const location = await begun(service, url, 100);
    await patch(service, location, 0, content(80));
    expect((await post(service, url, form("whole"))).status).toBe(201);
    expect((await tus(service, "HEAD", location)).status).toBe(409);
    expect((await tus(service, "HEAD", url)).status).toBe(409);
    expect(await outcome(await patch(service, location, 80, content(20)))).toBe("409 upload_used");
    expect(await read()).toBe("whole");
    await expect.poll(() => service.blocks()).toBe(1);
  });

  it("is deleted by termination while incomplete, and the upload URL is open again", async () => {
    const { service, url, read } = await openUpload();
    const location = await begun(service, url, 100);
    await patch(service, location, 0, content(80));
    expect(headersOf(await tus(service, "DELETE", location), "tus-resumable")).toEqual([204, "1.0.0"]);
    expect((await tus(service, "HEAD", location)).status).toBe(404);
    expect([await offsetOf(service, url), await service.blocks()]).toEqual([0, 0]);
    expect((await tus(service, "DELETE", url)).status).toBe(204);
    expect((await post(service, url, form("whole"))).status).toBe(201);
    expect(await read()).toBe("whole");
    expect((await tus(service, "DELETE", url)).status).toBe(409);
  });
});

describe("a tus upload that is not allowed", () => {
  const PNG = Uint8Array.from(atob("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ"), (c) => c.charCodeAt(0));

  it("is rejected by type as soon as enough bytes have arrived", async () => {
    const { service, url } = await openUpload({ allowed_types: ["image/png"] }, { blockSize: 1_024 });
    const location = await begun(service, url, 1_000_000);
    expect((await patch(service, location, 0, content(4_000))).status).toBe(204);
    expect(await outcome(await patch(service, location, 4_000, content(100)))).toBe("415 unsupported_media_type");
    expect(await service.blocks()).toBe(0);
    expect((await tus(service, "HEAD", location)).status).toBe(404);
    expect(await offsetOf(service, url)).toBe(0);
    const again = await begun(service, url, PNG.length);
    expect((await patch(service, again, 0, PNG)).status).toBe(204);
  });

  it("is rejected by type at the end of a short file", async () => {
    const { service, url } = await openUpload({ allowed_types: ["image/*"] });
    const location = await begun(service, url, 5);
    expect(await outcome(await patch(service, location, 0, bytes("hello")))).toBe("415 unsupported_media_type");
    expect([await offsetOf(service, url), await service.blocks()]).toEqual([0, 0]);
  });

  it.each([
    ["its announced length", { "upload-length": "200" }],
    ["the limit of the address", { "upload-defer-length": "1" }],
  ])("is rejected once it exceeds %s", async (_, headers) => {
    const { service, url } = await openUpload({ max_size: 200 });
    const location = (await create(service, url, headers)).headers.get("location") ?? "";
    expect((await patch(service, location, 0, content(150))).status).toBe(204);
    const response = await patch(service, location, 150, streamOf([content(40), content(40)]));
    expect(await outcome(response)).toBe("413 too_large");
    expect([await offsetOf(service, url), await service.blocks()]).toEqual([0, 0]);
    expect((await post(service, url, form("as ever"))).status).toBe(201);
  });
});

describe("the expiry of an upload URL", () => {
  const START = Date.parse("2026-01-01T00:00:00Z");

  it("is sent in Upload-Expires and ends partial uploads", async () => {
    let now = START;
    const { service, url } = await openUpload({ expires_in: 60 }, { now: () => now });
    const location = await begun(service, url, 200);
    const response = await patch(service, location, 0, content(100));
    expect(response.headers.get("upload-expires")).toBe("Thu, 01 Jan 2026 00:01:00 GMT");
    now += 60_000;
    expect((await tus(service, "HEAD", location)).status).toBe(410);
    expect(await outcome(await patch(service, location, 100, content(100)))).toBe("410 upload_expired");
    expect(await outcome(await create(service, url, { "upload-length": "1" }))).toBe("410 upload_expired");
  });

  it("deletes the bytes of partial uploads at the next sweep", async () => {
    let now = START;
    const { service, url } = await openUpload({ expires_in: 60 }, { now: () => now });
    const location = await begun(service, url, 200);
    await patch(service, location, 0, content(100));
    await service.partialUploads.sweep();
    expect(await service.blocks()).toBe(2);
    now += 60_000;
    await service.partialUploads.sweep();
    expect(await service.blocks()).toBe(0);
  });

  it("lets a chunk finish that began in time", async () => {
    let now = START;
    const { service, url, file } = await openUpload({ expires_in: 60 }, { now: () => now });
    const all = content(200);
    const location = await begun(service, url, 200);
    const pieces = [() => all.subarray(0, 100), () => all.subarray(100)];
    const slow = new ReadableStream<Uint8Array>({
      async pull(controller) {
        const piece = pieces.shift();
        if (piece === undefined) return controller.close();
        await service.partialUploads.sweep();
        controller.enqueue(piece());
        now += 60_000;
      },
    });
    expect((await patch(service, location, 0, slow)).status).toBe(204);
    expect(now).toBeGreaterThan(START + 100_000);
    expect(await file()).toMatchObject({ sha256: sha256(all) });
  });
});

describe("a tus request", () => {
  it.each(["POST", "HEAD", "PATCH", "DELETE"])("returns 404 for an unknown upload URL: %s", async (method) => {
    const { service, url } = await openUpload();
    const nowhere = url.replace(/fupl_.*/, `fupl_${"0".repeat(32)}`);
    const headers = {
      "upload-length": "3",
      "upload-offset": "0",
      "content-type": "application/offset+octet-stream",
    };
    expect((await tus(service, method, nowhere, { headers })).status).toBe(404);
  });

  it("with a multipart body is answered as tus", async () => {
    const { service, url } = await openUpload();
    const response = await post(service, url, form("x"), { "content-type": FORM, "tus-resumable": "1.0.0" });
    expect(await outcome(response)).toBe("400 malformed");
  });
});

describe("Prefer: return=representation", () => {
  const prefer = { prefer: "return=representation" };

  it.each([
    [
      "the last PATCH",
      200,
      (url: string, service: Parameters<typeof patch>[0]) => patch(service, url, 0, bytes("abc"), prefer),
    ],
    [
      "a repeat of it without bytes",
      200,
      async (url: string, service: Parameters<typeof patch>[0]) => {
        await patch(service, url, 0, bytes("abc"));
        return patch(service, url, 3, bytes(""), prefer);
      },
    ],
  ])("returns the file with %s", async (_, status, send) => {
    const { service, url, file } = await openUpload();
    const location = await begun(service, url, 3);
    const response = await send(location, service);
    expect(headersOf(response, "content-type", "preference-applied", "upload-offset", "tus-resumable")).toEqual([
      status,
      "application/json",
      "return=representation",
      "3",
      "1.0.0",
    ]);
    expect(await response.json()).toEqual(await file());
  });

  it("returns the file with a POST that contains all of it, and not before", async () => {
    const { service, url, file } = await openUpload();
    const chunk = { "content-type": "application/offset+octet-stream", ...prefer };
    const part = await tus(service, "POST", url, { headers: { ...chunk, "upload-length": "3" }, body: bytes("ab") });
    expect([part.status, await part.text()]).toEqual([201, ""]);
    const whole = await tus(service, "POST", url, { headers: { ...chunk, "upload-length": "3" }, body: bytes("abc") });
    expect([whole.status, await whole.json()]).toEqual([201, await file()]);
  });

  it("returns 404 if the app has deleted the file", async () => {
    const { service, url, file } = await openUpload();
    const location = await begun(service, url, 3);
    await patch(service, location, 0, bytes("abc"));
    await service.call(`/files/${(await file()).id}`, { method: "DELETE" });
    expect((await patch(service, location, 3, bytes(""), prefer)).status).toBe(404);
  });
});
