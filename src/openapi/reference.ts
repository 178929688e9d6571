/** The OpenAPI document of an instance. */
import type { JsonObject } from "../json.ts";

export interface Reference {
  /** The document as JSON. */
  text(): Promise<string>;
  /** The text, compressed: it is long, and repeats itself. */
  gzip(): Promise<ArrayBuffer>;
}

/** @param parts.baseUrl Without a trailing slash. */
export function createReference(parts: { readonly baseUrl: string }): Reference {
  let text: Promise<string> | undefined;
  let compressed: Promise<ArrayBuffer> | undefined;
  const reference: Reference = {
    text() {
      text ??= load(parts.baseUrl);
      return text;
    },
    gzip() {
      compressed ??= reference.text().then(gzip);
      return compressed;
    },
  };
  return reference;
}

/** Loaded with the first request: few programs need it. `test/contract/openapi.test.ts` generates the file. */
async function load(baseUrl: string): Promise<string> {
  const { default: document }: { default: JsonObject } = await import("../../openapi.json", { with: { type: "json" } });
  return JSON.stringify({ ...document, servers: [{ url: baseUrl }] });
}

function gzip(text: string): Promise<ArrayBuffer> {
  return new Response(new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"))).arrayBuffer();
}
