/** Who guesses upload addresses learns neither by the words nor by the time of an answer whether one is there. */
import { beforeAll, describe, expect, it } from "vitest";
import { BASE, createService, FORM, form, post, type Service } from "./service.ts";

const HOUR = 3_600_000;
const TRIES = 9;
/** Milliseconds between the medians: no more than one step apart, for a machine under load is not exact. */
const NEAR = 35;

type Ask = (url: string) => Request;
const tus = { "tus-resumable": "1.0.0" };
const part = { ...tus, "content-type": "application/offset+octet-stream", "upload-offset": "0", "upload-length": "1" };
const ASKED: readonly (readonly [string, Ask])[] = [
  ["GET", (url) => new Request(url)],
  ["GET by a browser", (url) => new Request(url, { headers: { accept: "text/html" } })],
  ["POST", (url) => new Request(url, { method: "POST", headers: { "content-type": FORM }, body: form("x") })],
  ["POST by tus", (url) => new Request(url, { method: "POST", headers: { ...tus, "upload-length": "1" } })],
  ["HEAD by tus", (url) => new Request(url, { method: "HEAD", headers: tus })],
  ["PATCH by tus", (url) => new Request(url, { method: "PATCH", headers: part, body: "x" })],
  ["DELETE by tus", (url) => new Request(url, { method: "DELETE", headers: tus })],
];

let service: Service;
let now = Date.now();
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

async function median(ask: Ask, url: string): Promise<number> {
  const times: number[] = [];
  for (let tries = 0; tries < TRIES; tries++) {
    const start = performance.now();
    await (await service.fetch(ask(url))).arrayBuffer();
    times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b)[TRIES >> 1] ?? 0;
}

describe("an address that is closed or was never made", () => {
  it.each(ASKED)("answers %s in the same time, whatever it is", async (_, ask) => {
    const medians: number[] = [];
    for (const url of Object.values(closed)) medians.push(await median(ask, url));
    for (const time of medians) expect(time).toBeGreaterThan(18);
    expect(Math.max(...medians) - Math.min(...medians)).toBeLessThan(NEAR);
  });

  it.each(ASKED)("tells nothing of the app or the file to %s", async (_, ask) => {
    for (const url of Object.values(closed)) {
      const response = await service.fetch(ask(url));
      const told = `${await response.text()} ${JSON.stringify([...response.headers])}`;
      expect(told).not.toMatch(/secret|app_|afile_|blob_/);
      expect(told).not.toContain(service.app.id);
    }
  });

  it("is not worth guessing: its id has more than 128 random bits", async () => {
    const ids = await Promise.all(Array.from({ length: 500 }, async () => (await service.address()).upload_url));
    const secrets = ids.map((url) => url.split("fupl_")[1] ?? "");
    expect(new Set(secrets).size).toBe(500);
    const alphabet = new Set(secrets.join(""));
    expect(Math.log2(alphabet.size) * 32).toBeGreaterThan(128);
    // Each place varies: nothing of it is the time, or a counter.
    for (let at = 0; at < 32; at++) expect(new Set(secrets.map((secret) => secret[at])).size).toBeGreaterThan(20);
  });
});

it("a sender to an open address is not held back", async () => {
  const { upload_url } = await service.address();
  const start = performance.now();
  const wrong = () => post(service, upload_url, "no multipart at all");
  for (let tries = 0; tries < 100; tries++) expect((await wrong()).status).toBe(400);
  expect(performance.now() - start).toBeLessThan(100 * 18);
});
