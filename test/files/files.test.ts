/** Stored files: listed, downloaded whole and in ranges, and never run by a browser. */
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { BASE, createService, form, outcome, post, type Service, streamOf } from "../support/files/service.ts";

let service: Service;
let now: number;
beforeEach(async () => {
  now = Date.parse("2026-01-01T00:00:00Z");
  service = await createService({ now: () => ++now });
});
afterEach(() => expect(service.errors).toEqual([]));

async function upload(text: string, name = "a.txt", input = {}): Promise<string> {
  const { upload_url, future_file_id } = await service.address(input);
  const response = await post(service, upload_url, form(text, `form-data; name="file"; filename="${name}"`));
  expect(response.status).toBe(201);
  return future_file_id;
}

const fetchWithoutKey = (path: string, init?: RequestInit) =>
  service.fetch(new Request(`${BASE}/apps/${service.app.id}${path}`, init));
const names = async (response: Response) => (await response.json()).map((file: { name: string }) => file.name);

describe("listing files", () => {
  it("returns newest first by arrival, in pages, and searches by name", async () => {
    const early = await service.address();
    for (const name of ["Äpfel.txt", "birnen.txt", "apfelmus.pdf"]) await upload("x", name);
    await post(service, early.upload_url, form("x", 'form-data; name="file"; filename="last.txt"'));
    expect(await names(await service.call("/files"))).toEqual(["last.txt", "apfelmus.pdf", "birnen.txt", "Äpfel.txt"]);
    expect(await names(await service.call("/files?take=2&page=2"))).toEqual(["birnen.txt", "Äpfel.txt"]);
    expect(await names(await service.call("/files?search=APFEL"))).toEqual(["apfelmus.pdf", "Äpfel.txt"]);
    expect(await names(await service.call("/files?search=%C3%A4pfel"))).toEqual(["apfelmus.pdf", "Äpfel.txt"]);
  });

  it("shows only PUBLIC files to requests without a key", async () => {
    const open = await upload("x", "open.txt", { visibility: "PUBLIC" });
    const closed = await upload("x", "closed.txt");
    expect(await names(await fetchWithoutKey("/files"))).toEqual(["open.txt"]);
    for (const [id, status] of [
      [open, 200],
      [closed, 404],
    ] as const) {
      expect((await fetchWithoutKey(`/files/${id}`)).status).toBe(status);
      expect((await fetchWithoutKey(`/files/${id}/content`)).status).toBe(status);
      expect((await fetchWithoutKey(`/files/${id}`, { method: "DELETE" })).status).toBe(401);
    }
  });

  it("hides files of other apps", async () => {
    const id = await upload("x", "a.txt", { visibility: "PUBLIC" });
    const other = await service.newApp();
    const headers = { authorization: `Bearer ${other.key}` };
    for (const path of [`/files/${id}`, `/files/${id}/content`]) {
      const response = await service.fetch(new Request(`${BASE}/apps/${other.id}${path}`, { headers }));
      expect(await outcome(response)).toBe("404 not_found");
    }
    expect(await service.files.find(other.id, [id])).toEqual([null]);
    await expect(service.files.remove(other.id, id)).rejects.toMatchObject({ code: "not_found" });
    expect(await (await service.fetch(new Request(`${BASE}/apps/${other.id}/files`, { headers }))).json()).toEqual([]);
  });
});

describe("a file", () => {
  const patch = (id: string, body: object) =>
    service.call(`/files/${id}`, {
      method: "PATCH",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });

  it("is filtered by media type and by media type range", async () => {
    await upload("x", "a.txt");
    await upload('{"a":1}', "b.json");
    await upload("<p>x", "c.html");
    expect(await names(await service.call("/files?type=text/plain"))).toEqual(["a.txt"]);
    expect(await names(await service.call("/files?type=text/*"))).toEqual(["c.html", "a.txt"]);
    expect(await names(await service.call("/files?type=TEXT/*&search=c"))).toEqual(["c.html"]);
    expect(await names(await service.call("/files?type=image/*"))).toEqual([]);
    expect(await outcome(await service.call("/files?type=text"))).toBe("422 invalid");
  });

  it("has a media type by content and one by name", async () => {
    const id = await upload("%PDF-1.7 x", "a.txt");
    const { mime_type, name_type } = await (await service.call(`/files/${id}`)).json();
    expect({ mime_type, name_type }).toEqual({ mime_type: "application/pdf", name_type: "text/plain" });
    const unnamed = await upload("x", "plain");
    expect((await (await service.call(`/files/${unnamed}`)).json()).name_type).toBeNull();
  });

  it("can be renamed and made PUBLIC or PRIVATE again", async () => {
    const id = await upload("x", "a.txt");
    const changed = await (await patch(id, { name: "../b/Ü.json", visibility: "PUBLIC" })).json();
    expect(changed).toMatchObject({ name: "Ü.json", name_type: "application/json", visibility: "PUBLIC" });
    expect(await (await service.call(`/files/${id}`)).json()).toEqual(changed);
    expect(await names(await fetchWithoutKey("/files?search=u.json"))).toEqual(["Ü.json"]);
    await patch(id, { visibility: "PRIVATE" });
    expect(await names(await fetchWithoutKey("/files"))).toEqual([]);
    for (const body of [
      { name: "" },
      { visibility: "OPEN" },
      { size: 3 },
      { expires_at: "soon" },
      { expires_at: "2001-01-01T00:00:00Z" },
    ]) {
      expect(await outcome(await patch(id, body))).toBe("422 invalid");
    }
    expect(await outcome(await patch("afile_none", {}))).toBe("404 not_found");
  });

  it("is hidden once it expires, and its bytes are deleted at the next sweep", async () => {
    const short = await upload("x".repeat(500), "short.txt", { file_expires_in: 60 });
    const moved = await upload("x", "moved.txt", { file_expires_in: 60 });
    const kept = await upload("x", "kept.txt");
    const { expires_at } = await (await service.call(`/files/${short}`)).json();
    expect(Date.parse(expires_at)).toBeGreaterThan(now);
    expect((await (await patch(moved, { expires_at: null })).json()).expires_at).toBeNull();
    now += 61_000;
    expect(await outcome(await service.call(`/files/${short}`))).toBe("404 not_found");
    expect(await outcome(await service.call(`/files/${short}/content`))).toBe("404 not_found");
    expect(await service.files.find(service.app.id, [short])).toEqual([null]);
    expect(await names(await service.call("/files"))).toEqual(["kept.txt", "moved.txt"]);
    const before = await service.blocks();
    await service.files.deleteExpired(() => false);
    expect(await service.blocks()).toBeLessThan(before);
    for (const id of [moved, kept]) expect((await service.call(`/files/${id}`)).status).toBe(200);
  });

  it("is deleted with all files of its app", async () => {
    await upload("x".repeat(500));
    await upload("x".repeat(500), "b.txt", { file_expires_in: 60 });
    await service.files.deleteAll(service.app.id, () => true);
    expect(await service.blocks()).toBeGreaterThan(0);
    await service.files.deleteAll(service.app.id, () => false);
    expect(await service.blocks()).toBe(0);
    expect(await (await service.call("/files")).json()).toEqual([]);
  });
});

describe("a temporary link to a file", () => {
  const link = async (id: string, body: object = {}) =>
    (
      await service.call(`/files/${id}/links`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      })
    ).json();
  const follow = (url: string, init?: RequestInit) => service.fetch(new Request(url, init));

  it("downloads the file without a key, whole or in ranges, until it expires", async () => {
    const id = await upload("hello", "a.txt");
    const { url, expires_at } = await link(id, { expires_in: 60 });
    expect(url.startsWith(`${BASE}/public/apps/files/${id}/content?`)).toBe(true);
    const whole = await follow(url);
    expect([whole.status, await whole.text()]).toEqual([200, "hello"]);
    expect(whole.headers.get("content-disposition")).toMatch(/^attachment;/);
    const part = await follow(url, { headers: { range: "bytes=1-2" } });
    expect([part.status, await part.text()]).toEqual([206, "el"]);
    now = Date.parse(expires_at);
    expect(await outcome(await follow(url))).toBe("410 link_expired");
  });

  it("returns 404 when it is changed, or its file is deleted", async () => {
    const [id, other] = [await upload("one"), await upload("two")];
    const { url } = await link(id);
    const app = await service.newApp();
    const changes: readonly ((url: URL) => void)[] = [
      (changed) => changed.searchParams.set("expires", "99999999999"),
      (changed) => changed.searchParams.set("app", app.id),
      (changed) => changed.searchParams.delete("signature"),
      (changed) => changed.searchParams.set("signature", "0".repeat(64)),
      (changed) => {
        changed.pathname = changed.pathname.replace(id, other);
      },
      (changed) => {
        changed.search = "";
      },
    ];
    for (const change of changes) {
      const changed = new URL(url);
      change(changed);
      expect(await outcome(await follow(changed.href))).toBe("404 not_found");
    }
    expect((await follow(url)).status).toBe(200);
    await service.call(`/files/${id}`, { method: "DELETE" });
    expect(await outcome(await follow(url))).toBe("404 not_found");
    expect((await link(id)).code).toBe("not_found");
    expect((await link(other, { expires_in: 0 })).code).toBe("invalid");
  });
});

describe("finding files by id", () => {
  it("returns them in order, with null for each missing one", async () => {
    const [one, two] = [await upload("1", "one"), await upload("2", "two")];
    const found = await service.files.find(service.app.id, [two, "afile_x", one, "", two]);
    expect(found.map((file) => file?.name ?? null)).toEqual(["two", null, "one", null, "two"]);
  });
});

describe("deleting a file", () => {
  it("deletes its bytes, and returns 404 the second time", async () => {
    const id = await upload("x".repeat(500));
    expect((await service.call(`/files/${id}`, { method: "DELETE" })).status).toBe(204);
    expect(await service.blocks()).toBe(0);
    expect(await outcome(await service.call(`/files/${id}`))).toBe("404 not_found");
    expect(await outcome(await service.call(`/files/${id}/content`))).toBe("404 not_found");
    expect(await outcome(await service.call(`/files/${id}`, { method: "DELETE" }))).toBe("404 not_found");
    expect(await (await service.call("/files")).json()).toEqual([]);
  });
});

describe("downloading a file", () => {
  const text = Array.from({ length: 200 }, (_, index) => String(index)).join(",");
  const size = text.length;

  it.each([
    ["bytes=0-0", 0, 1],
    ["bytes=0-", 0, size],
    ["bytes=10-19", 10, 20],
    ["bytes=60-200", 60, 201],
    ["BYTES = 5-9", 5, 10],
    [`bytes=${size - 1}-`, size - 1, size],
    [`bytes=${size - 1}-99999999999999999999`, size - 1, size],
    ["bytes=-1", size - 1, size],
    ["bytes=-100", size - 100, size],
    ["bytes=-100000", 0, size],
  ])("returns the range %s", async (range, start, end) => {
    const id = await upload(text);
    const response = await service.call(`/files/${id}/content`, { headers: { range } });
    expect(response.status).toBe(206);
    expect(response.headers.get("content-range")).toBe(`bytes ${start}-${end - 1}/${size}`);
    expect(response.headers.get("content-length")).toBe(String(end - start));
    expect(await response.text()).toBe(text.slice(start, end));
  });

  it("returns any range", async () => {
    const id = await upload(text);
    await fc.assert(
      fc.asyncProperty(fc.nat(size - 1), fc.nat(size * 2), async (start, length) => {
        const response = await service.call(`/files/${id}/content`, {
          headers: { range: `bytes=${start}-${start + length}` },
        });
        expect(await response.text()).toBe(text.slice(start, start + length + 1));
      }),
      { numRuns: 80 },
    );
  });

  it.each([
    "bytes=5-2",
    "bytes=a-b",
    "bytes=-",
    "bytes=",
    "lines=0-1",
    "0-1",
    "bytes=0-1,x",
    `bytes=${Array.from({ length: 51 }, (_, n) => `${3 * n}-${3 * n}`).join(",")}`,
    "bytes=--1",
    "bytes=1.5-2",
  ])("returns the whole file for the invalid range %s", async (range) => {
    const id = await upload(text);
    const response = await service.call(`/files/${id}/content`, { headers: { range } });
    expect(response.status).toBe(200);
    expect(await response.text()).toBe(text);
  });

  it.each([`bytes=${size}-`, `bytes=${size + 5}-${size + 9}`, "bytes=-0", "bytes=99999999999999999999-"])(
    "returns 416 for the unsatisfiable range %s",
    async (range) => {
      const id = await upload(text);
      const response = await service.call(`/files/${id}/content`, { headers: { range } });
      expect(response.headers.get("content-range")).toBe(`bytes */${size}`);
      expect(await outcome(response)).toBe("416 range_not_satisfiable");
    },
  );

  it.each([
    ["bytes=0-9,20-29,5-24", "0-29"],
    [`bytes=0-1,${size}-`, "0-1"],
  ])("merges ranges that overlap into one (%s)", async (range, expected) => {
    const id = await upload(text);
    const response = await service.call(`/files/${id}/content`, { headers: { range } });
    expect([response.status, response.headers.get("content-range")]).toEqual([206, `bytes ${expected}/${size}`]);
    const [start = 0, end = 0] = expected.split("-").map(Number);
    expect(await response.text()).toBe(text.slice(start, end + 1));
    expect(response.headers.get("content-length")).toBe(String(end + 1 - start));
  });

  it.each([
    ["bytes=0-1,5-6", ["0-1", "5-6"]],
    ["bytes=5-6, 0-1,,-3", ["5-6", "0-1", `${size - 3}-${size - 1}`]],
    ["bytes=0-9,20-29,15-24", ["0-9", "15-29"]],
  ])("returns several ranges as multipart/byteranges (%s)", async (range, expected) => {
    const id = await upload(text);
    const response = await service.call(`/files/${id}/content`, { headers: { range } });
    expect(response.status).toBe(206);
    const body = await response.text();
    expect(response.headers.get("content-length")).toBe(String(body.length));
    const parts = expected.map((part) => {
      const [start = 0, end = 0] = part.split("-").map(Number);
      return [`bytes ${part}/${size}`, text.slice(start, end + 1)];
    });
    const [, boundary = "?"] =
      /^multipart\/byteranges; boundary=(.+)$/.exec(response.headers.get("content-type") ?? "") ?? [];
    const pieces = body.split(`\r\n--${boundary}`);
    expect(pieces[0]).toBe("");
    expect(pieces.at(-1)).toBe("--\r\n");
    const seen = pieces.slice(1, -1).map((piece) => {
      const [head = "", content] = piece.split("\r\n\r\n");
      expect(head).toContain("\r\ncontent-type: text/plain\r\n");
      return [/content-range: (.+)/.exec(head)?.[1], content];
    });
    expect(seen).toEqual(parts);
    const head = await service.call(`/files/${id}/content`, { method: "HEAD", headers: { range } });
    expect([head.status, head.headers.get("content-length")]).toEqual([200, String(size)]);
  });

  it("evaluates If-Modified-Since, If-Match and If-Unmodified-Since", async () => {
    const id = await upload(text);
    const get = (headers: Record<string, string>) => service.call(`/files/${id}/content`, { headers });
    const { headers } = await get({});
    const [modified, etag] = [headers.get("last-modified") ?? "", headers.get("etag") ?? ""];
    expect(Date.parse(modified)).toBe(Math.floor(now / 1_000) * 1_000);
    expect((await get({ "if-modified-since": modified })).status).toBe(304);
    expect((await get({ "if-modified-since": "Thu, 01 Jan 2020 00:00:00 GMT" })).status).toBe(200);
    expect((await get({ "if-modified-since": "yesterday" })).status).toBe(200);
    expect((await get({ "if-modified-since": modified, "if-none-match": '"x"' })).status).toBe(200);
    expect((await get({ "if-match": etag })).status).toBe(200);
    expect((await get({ "if-match": `"x", ${etag}` })).status).toBe(200);
    expect((await get({ "if-match": "*" })).status).toBe(200);
    for (const other of ['"x"', `W/${etag}`, `"x", W/${etag}`]) {
      expect(await outcome(await get({ "if-match": other }))).toBe("412 precondition_failed");
    }
    expect((await get({ "if-unmodified-since": modified })).status).toBe(200);
    expect((await get({ "if-unmodified-since": "yesterday" })).status).toBe(200);
    const older = { "if-unmodified-since": "Thu, 01 Jan 1970 00:00:00 GMT" };
    expect(await outcome(await get(older))).toBe("412 precondition_failed");
    expect((await get({ ...older, "if-match": etag })).status).toBe(200);
  });

  it("evaluates If-None-Match and If-Range", async () => {
    const id = await upload(text);
    const get = (headers: Record<string, string>, method = "GET") =>
      service.call(`/files/${id}/content`, { method, headers });
    const etag = (await get({})).headers.get("etag") ?? "";
    expect(etag).toMatch(/^"[0-9a-f]{64}"$/);
    for (const value of [etag, `W/${etag}`, `"x", ${etag}`, "*"]) {
      const response = await get({ "if-none-match": value });
      expect([response.status, await response.text(), response.headers.get("etag")]).toEqual([304, "", etag]);
    }
    expect((await get({ "if-none-match": '"x"' })).status).toBe(200);
    expect((await get({ range: "bytes=0-1", "if-range": etag })).status).toBe(206);
    for (const other of ['"x"', `W/${etag}`, "Thu, 01 Jan 2026 00:00:00 GMT"]) {
      expect((await get({ range: "bytes=0-1", "if-range": other })).status).toBe(200);
    }
    const head = await get({ range: "bytes=0-1" }, "HEAD");
    expect([head.status, head.headers.get("content-length"), await head.text()]).toEqual([200, String(size), ""]);
    expect(head.headers.get("accept-ranges")).toBe("bytes");
  });

  it("returns an empty body for an empty file", async () => {
    const id = await upload("");
    const whole = await service.call(`/files/${id}/content`);
    expect([whole.status, whole.headers.get("content-length"), await whole.text()]).toEqual([200, "0", ""]);
    const part = await service.call(`/files/${id}/content`, { headers: { range: "bytes=0-" } });
    expect(part.status).toBe(416);
  });

  it.each([
    ["a.html", "<script>alert(1)</script>"],
    ["a.svg", '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
    ["a.js", "alert(1)"],
  ])("prevents browsers from running %s", async (name, active) => {
    const id = await upload(active, name);
    const { headers } = await service.call(`/files/${id}/content`);
    expect(headers.get("content-disposition")).toMatch(/^attachment;/);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("content-security-policy")).toMatch(/^sandbox;/);
  });

  it("encodes any file name safely in Content-Disposition", async () => {
    const character = fc.oneof(
      fc.constantFrom('"', "\\", "%", ";", "\r", "\n", "\0", "'", "*", "é", "日", "🎉", "\ud800"),
      fc.string({ maxLength: 1 }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(character, { maxLength: 20 }), async (characters) => {
        const name = characters.join("");
        const { upload_url, future_file_id } = await service.address();
        const file = await service.uploads.receive(upload_url.split("/").at(-1) ?? "", {
          name,
          body: streamOf([Uint8Array.of(1)]),
        });
        const { headers } = await service.call(`/files/${future_file_id}/content`);
        const [, ascii, encoded] =
          /^attachment; filename="([ !#$&-[\]-~]*)"; filename\*=UTF-8''([\w.!~%-]*)$/.exec(
            headers.get("content-disposition") ?? "",
          ) ?? [];
        expect(ascii).toBeDefined();
        expect(decodeURIComponent(encoded ?? "")).toBe(file.name);
        expect(file.name).not.toMatch(/[\p{Cc}/\\]/u);
      }),
      { numRuns: 100 },
    );
  });
});
