/** The OpenAPI document, for tools that read it. */
import { rawRoute } from "../http/route.ts";
import { jsonObject } from "../schema.ts";
import type { Reference } from "./reference.ts";

export interface Slices {
  readonly reference: Reference;
}

/** A client that accepts gzip, with any weight but 0 (RFC 9110 §12.5.3). */
const GZIP = /(?:^|,)\s*gzip\s*(?:;\s*q=(?:1|0\.0*[1-9])\S*\s*)?(?:,|$)/i;

export const openapiRoutes = {
  get: rawRoute({
    method: "GET",
    path: "/openapi.json",
    access: "open",
    summary: "Get the OpenAPI 3.1 document of this API.",
    described: { request: {}, answers: { 200: { body: { "application/json": jsonObject } } } },
    async respond({ reference }: Slices, request) {
      const headers = { "content-type": "application/json", "cache-control": "no-cache", vary: "accept-encoding" };
      if (!GZIP.test(request.headers.get("accept-encoding") ?? ""))
        return new Response(await reference.text(), { headers });
      return new Response(await reference.gzip(), { headers: { ...headers, "content-encoding": "gzip" } });
    },
  }),
};
