/** Neither the text nor the timing of a response reveals whether an upload URL exists. */
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { turnEventLoop } from "../support/event-loop.ts";
import { BASE, createService, FORM, form, post, type Service } from "../support/files/service.ts";

const HOUR = 3_600_000;
/** Milliseconds; each response is delayed to a multiple of them. */
const STEP = 20;

type CreateRequest = (url: string) => Request;
const tus = { "tus-resumable": "1.0.0" };
const part = { ...tus, "content-type": "application/offset+octet-stream", "upload-offset": "0", "upload-length": "1" };
const REQUESTS: readonly (readonly [string, CreateRequest])[] = [
  ["GET", (url) => new Request(url)],
  ["GET by a browser", (url) => new Request(url, { headers: { accept: "text/html" } })],
  ["POST", (url) => new Request(url, { method: "POST", headers: { "content-type": FORM }, body: form("x") })],
  ["POST by tus", (url) => new Request(url, { method: "POST", headers: { ...tus, "upload-length": "1" } })],
  ["HEAD by tus", (url) => new Request(url, { method: "HEAD", headers: tus })],
  ["PATCH by tus", (url) => new Request(url, { method: "PATCH", headers: part, body: "x" })],
  ["DELETE by tus", (url) => new Request(url, { method: "DELETE", headers: tus })],
];

let service: Service;
let now = Date.UTC(2030, 0, 1);
let closed: Readonly<Record<"unknown" | "malformed" | "used" | "expired", string>>;

beforeAll(async () => {
  service = await createService({ now: () => now });
  const used = await service.address();
  await post(service, used.upload_url, form("secret content", 'form-data; name="file"; filename="secret.txt"'));
  const expired = await service.address({ expires_in: 60, file_name: "secret.txt" });
  now += HOUR;
  closed = {
    unknown: `${BASE}/public/apps/files/uploads/fupl_${"0".repeat(32)}`,
    malformed: `${BASE}/public/apps/files/uploads/fupl_1`,
    used: used.upload_url,
    expired: expired.upload_url,
  };
});

afterEach(() => vi.useRealTimers());

/** Milliseconds until the response, on a clock that stands still while the response is computed. */
async function timeOf(request: Request): Promise<number> {
  vi.useFakeTimers({ toFake: ["performance", "setTimeout"] });
  const start = performance.now();
  let answered: number | undefined;
  const answering = service.fetch(request).then(() => {
    answered = performance.now() - start;
  });
  for (let waited = 0; answered === undefined && waited < 10 * STEP; waited++) {
    await turnEventLoop(20);
    if (answered === undefined) await vi.advanceTimersByTimeAsync(1);
  }
  vi.useRealTimers();
  await answering;
  return answered ?? Number.NaN;
}

describe("an upload URL that is closed or does not exist", () => {
  it.each(REQUESTS)("takes the same time to answer %s", async (_, createRequest) => {
    const times: Record<string, number> = {};
    for (const [state, url] of Object.entries(closed)) times[state] = await timeOf(createRequest(url));
    expect(times).toEqual({ unknown: STEP, malformed: STEP, used: STEP, expired: STEP });
  });

  it.each(REQUESTS)("reveals nothing about the app or file to %s", async (_, createRequest) => {
    for (const url of Object.values(closed)) {
      const response = await service.fetch(createRequest(url));
      const received = `${await response.text()} ${JSON.stringify([...response.headers])}`;
      expect(received).not.toMatch(/secret|app_|afile_|blob_/);
      expect(received).not.toContain(service.app.id);
    }
  });

  it("has an id with more than 128 random bits", async () => {
    const ids = await Promise.all(Array.from({ length: 500 }, async () => (await service.address()).upload_url));
    const secrets = ids.map((url) => url.split("fupl_")[1] ?? "");
    expect(new Set(secrets).size).toBe(500);
    const alphabet = new Set(secrets.join(""));
    expect(Math.log2(alphabet.size) * 32).toBeGreaterThan(128);
    // Each character varies: no part is the time or a counter.
    for (let at = 0; at < 32; at++) expect(new Set(secrets.map((secret) => secret[at])).size).toBeGreaterThan(20);
  });
});

it("answers an open upload URL without delay", async () => {
  const { upload_url } = await service.address();
  const request = new Request(upload_url, { method: "POST", headers: { "content-type": FORM }, body: "no multipart" });
  expect(await timeOf(request)).toBe(0);
});
