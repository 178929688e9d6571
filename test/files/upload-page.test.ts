/** The HTML of the upload page. */
import { describe, expect, it } from "vitest";
import { createService, form, post } from "../support/files/service.ts";

const html = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

describe("an upload URL in a browser", () => {
  it("shows a self-contained page with a strict Content-Security-Policy", async () => {
    const service = await createService();
    const { upload_url } = await service.address({
      allowed_types: ["image/*", "application/pdf"],
      max_size: 3_000_000,
    });
    const response = await service.fetch(new Request(upload_url, { headers: html }));
    const page = await response.text();
    const policy = response.headers.get("content-security-policy") ?? "";
    const nonce = /script-src 'nonce-([^']+)'/.exec(policy)?.[1];
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(policy).toMatch(/^default-src 'none';/);
    expect(policy).not.toMatch(/unsafe|\*/);
    expect(page).toContain(`<script nonce="${nonce}">`);
    expect(page).toContain(`<style nonce="${nonce}">`);
    expect(page).not.toMatch(/https?:\/\/|\son\w+=|\sstyle=|<script(?! nonce)/);
    expect(page).toContain('accept="image/*,application/pdf"');
    expect(page).toContain("up to 3 MB");
    expect(response.headers.get("cache-control")).toBe("no-store");
  });

  it("has a script that parses", async () => {
    const service = await createService();
    const { upload_url } = await service.address();
    const page = await (await service.fetch(new Request(upload_url, { headers: html }))).text();
    const script = /<script nonce="[^"]+">([\s\S]*?)<\/script>/.exec(page)?.[1] ?? "";
    expect(script.length).toBeGreaterThan(500);
    expect(() => new Function(script)).not.toThrow();
  });

  it("shows that it is used or expired, without a form", async () => {
    let now = Date.UTC(2030, 0, 1);
    const service = await createService({ now: () => now });
    const [used, expired] = [await service.address(), await service.address({ expires_in: 1 })];
    await post(service, used.upload_url, form("x"));
    now += 2_000;
    for (const [{ upload_url }, text] of [
      [used, "Already used"],
      [expired, "This upload link has expired"],
    ] as const) {
      const page = await (await service.fetch(new Request(upload_url, { headers: html }))).text();
      expect(page).toContain(text);
      expect(page).not.toContain("<form");
    }
  });

  it("returns its state and limits as JSON to programs", async () => {
    const service = await createService({ fileBytes: 1_000 });
    const { upload_url, expires_at } = await service.address({ allowed_types: ["Image/*"] });
    const facts = await (await service.fetch(new Request(upload_url))).json();
    expect(facts).toEqual({ status: "open", expires_at, max_size: 1_000, allowed_types: ["image/*"] });
  });
});
