/** Uploads through gateways that respond in place of the server: bounded, and resumed if that can succeed. */
import { createHash } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createClient, StepwellError } from "../../src/client/index.ts";
import { bytes } from "../support/client/every-function.ts";
import { type Mounted, openMounted } from "../support/client/mounted.ts";

const SIZE = 1_500_000;
const content = bytes(SIZE);
const sha256 = (value: Uint8Array) => createHash("sha256").update(value).digest("hex");

let mounted: Mounted;
beforeAll(async () => {
  mounted = await openMounted();
});
afterAll(() => mounted.close());

let uploadUrl: string;
beforeEach(async () => {
  uploadUrl = (await mounted.stepwell.files.createUpload(mounted.app)).upload_url;
});

describe("files.receive through a gateway", () => {
  /** Sends at most a hundred requests, so that an endless upload fails. */
  const through = (respond: (method: string, headers: Headers) => Response | null) => {
    const seen = { requests: 0 };
    const fetch = async (url: string, init: RequestInit) => {
      if (++seen.requests > 100) throw new StepwellError("internal", "It never ends.");
      return respond(init.method ?? "", new Headers(init.headers)) ?? globalThis.fetch(url, init);
    };
    const client = (retries?: number) => createClient({ url: mounted.url, fetch, ...(retries && { retries }) });
    return { client, seen };
  };
  const created = () => new Response(null, { status: 201, headers: { "upload-offset": "262144" } });

  it.each<[string, (headers: Headers) => Record<string, string>]>([
    ["offset 0", () => ({ "upload-offset": "0" })],
    ["offset 0 of this file", () => ({ "upload-offset": "0", "upload-metadata": "filename ZmlsZQ==" })],
  ])("that always reports %s is given up after as many failures as the option says", async (_, report) => {
    const { client, seen } = through((method, headers) => {
      if (method === "POST") return created();
      if (method === "HEAD") return new Response(null, { headers: report(headers) });
      return new Response(null, { status: 503, headers: { "retry-after": "0" } });
    });
    const received = client(3).files.receive(uploadUrl, { body: content });
    await expect(received).rejects.toMatchObject({ code: "unavailable" });
    expect(seen.requests).toBeLessThan(13);
  });

  it.each([200, 204])("that responds to one chunk itself with %i continues", async (status) => {
    let isFirst = true;
    const { client } = through((method) => {
      if (method !== "PATCH" || !isFirst) return null;
      isFirst = false;
      return new Response(null, { status });
    });
    const file = await client().files.receive(uploadUrl, { body: content });
    expect([file.size, file.sha256, isFirst]).toEqual([SIZE, sha256(content), false]);
  });

  it("that responds to each chunk itself is unavailable, not a wrong URL", async () => {
    const { client } = through((method) => (method === "PATCH" ? new Response(null, { status: 204 }) : null));
    const received = client(1).files.receive(uploadUrl, { body: content });
    await expect(received).rejects.toMatchObject({
      code: "unavailable",
      message: "A chunk got a response that is not Stepwell's.",
    });
  });
});
