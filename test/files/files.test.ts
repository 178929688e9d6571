/** Files once they are there: listed, read whole and in parts, and never run by a browser. */
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { BASE, createService, form, outcome, post, type Service, streamOf } from "./service.ts";

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

const anyone = (path: string, init?: RequestInit) =>
  service.fetch(new Request(`${BASE}/apps/${service.app.id}${path}`, init));
const names = async (response: Response) => (await response.json()).map((file: { name: string }) => file.name);

describe("the list of files", () => {
  it("is newest first by when they came, in pages, and searched by name", async () => {
    const early = await service.address();
    for (const name of ["Äpfel.txt", "birnen.txt", "apfelmus.pdf"]) await upload("x", name);
    await post(service, early.upload_url, form("x", 'form-data; name="file"; filename="last.txt"'));
    expect(await names(await service.call("/files"))).toEqual(["last.txt", "apfelmus.pdf", "birnen.txt", "Äpfel.txt"]);
    expect(await names(await service.call("/files?take=2&page=2"))).toEqual(["birnen.txt", "Äpfel.txt"]);
    expect(await names(await service.call("/files?search=APFEL"))).toEqual(["apfelmus.pdf", "Äpfel.txt"]);
    expect(await names(await service.call("/files?search=%C3%A4pfel"))).toEqual(["apfelmus.pdf", "Äpfel.txt"]);
  });

  it("shows only what is PUBLIC without a key", async () => {
    const open = await upload("x", "open.txt", { visibility: "PUBLIC" });
    const closed = await upload("x", "closed.txt");
    expect(await names(await anyone("/files"))).toEqual(["open.txt"]);
    for (const [id, status] of [
      [open, 200],
      [closed, 404],
    ] as const) {
      expect((await anyone(`/files/${id}`)).status).toBe(status);
      expect((await anyone(`/files/${id}/content`)).status).toBe(status);
      expect((await anyone(`/files/${id}`, { method: "DELETE" })).status).toBe(401);
    }
  });

  it("does not hold what belongs to another app", async () => {
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

describe("the files of a run's input", () => {
  it("come in the order of their ids, with null for each that is missing", async () => {
    const [one, two] = [await upload("1", "one"), await upload("2", "two")];
    const found = await service.files.find(service.app.id, [two, "afile_x", one, "", two]);
    expect(found.map((file) => file?.name ?? null)).toEqual(["two", null, "one", null, "two"]);
  });
});

describe("a file that is removed", () => {
  it("is gone with its bytes, and once only", async () => {
    const id = await upload("x".repeat(500));
    expect((await service.call(`/files/${id}`, { method: "DELETE" })).status).toBe(204);
    expect(await service.chunks()).toBe(0);
    expect(await outcome(await service.call(`/files/${id}`))).toBe("404 not_found");
    expect(await outcome(await service.call(`/files/${id}/content`))).toBe("404 not_found");
    expect(await outcome(await service.call(`/files/${id}`, { method: "DELETE" }))).toBe("404 not_found");
    expect(await (await service.call("/files")).json()).toEqual([]);
  });
});

describe("the content of a file", () => {
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
  ])("comes in the range %s", async (range, start, end) => {
    const id = await upload(text);
    const response = await service.call(`/files/${id}/content`, { headers: { range } });
    expect(response.status).toBe(206);
    expect(response.headers.get("content-range")).toBe(`bytes ${start}-${end - 1}/${size}`);
    expect(response.headers.get("content-length")).toBe(String(end - start));
    expect(await response.text()).toBe(text.slice(start, end));
  });

  it("comes in any range", async () => {
    const id = await upload(text);
    await fc.assert(
      fc.asyncProperty(fc.nat(size - 1), fc.nat(size * 2), async (start, length) => {
        const response = await service.call(`/files/${id}/content`, {
          headers: { range: `bytes=${start}-${start + length}` },
        });
        expect(await response.text()).toBe(text.slice(start, start + length + 1));
      }),
      { numRuns: 200 },
    );
  });

  it.each([
    "bytes=5-2",
    "bytes=a-b",
    "bytes=-",
    "bytes=",
    "lines=0-1",
    "0-1",
    "bytes=0-1,5-6",
    "bytes=--1",
    "bytes=1.5-2",
  ])("comes whole for the range %s", async (range) => {
    const id = await upload(text);
    const response = await service.call(`/files/${id}/content`, { headers: { range } });
    expect(response.status).toBe(200);
    expect(await response.text()).toBe(text);
  });

  it.each([`bytes=${size}-`, `bytes=${size + 5}-${size + 9}`, "bytes=-0", "bytes=99999999999999999999-"])(
    "does not come for the range %s, which lies outside",
    async (range) => {
      const id = await upload(text);
      const response = await service.call(`/files/${id}/content`, { headers: { range } });
      expect(response.headers.get("content-range")).toBe(`bytes */${size}`);
      expect(await outcome(response)).toBe("416 range_not_satisfiable");
    },
  );

  it("comes only when it has changed, and in part only when it has not", async () => {
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

  it("is empty for an empty file", async () => {
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
  ])("of %s is never run by a browser", async (name, active) => {
    const id = await upload(active, name);
    const { headers } = await service.call(`/files/${id}/content`);
    expect(headers.get("content-disposition")).toMatch(/^attachment;/);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("content-security-policy")).toMatch(/^sandbox;/);
  });

  it("is sent under a name that cannot leave its header", async () => {
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
      { numRuns: 300 },
    );
  });
});
