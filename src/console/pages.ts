/** Responds with the files of the console. */
import { namesTag } from "../encoding/entity-tags.ts";
import { StepwellError } from "../errors.ts";
import type { Hash } from "../ports/hash.ts";
import { policyHeaders } from "./page-policy.ts";
import { type ConsoleFile, MOUNT_PLACE, type WebConsole } from "./web-console.ts";

export interface Pages {
  /**
   * Responds with a file of the page or, for an address in the page, with the page itself.
   * @param path Path below `/console/`.
   * @throws StepwellError `not_found` for a file that is not part of the page
   */
  respond(request: Request, path: string): Promise<Response>;
}

const PAGE = "index.html";
/** Where files of the page may be. Any other path is an address in the page, which may end with a name that has a dot. */
const FILE = /^(?:assets\/|[^/]*\.[0-9a-z]{1,12}$)/i;
/** A client that accepts gzip, with any weight but 0 (RFC 9110 §12.5.3). */
const GZIP = /(?:^|,)\s*gzip\s*(?:;\s*q=(?:1|0\.0*[1-9])\S*\s*)?(?:,|$)/i;

/** Names change with their content. */
const FOREVER = "public, max-age=31536000, immutable";

export function createPages(parts: { console: WebConsole; mount: string; hash: Hash }): Pages {
  const { console, mount, hash } = parts;
  const policy = policyHeaders(console.frameAncestors ?? []);
  let page: Promise<{ html: string; etag: string }> | undefined;

  async function readPage() {
    const html = (await console.load()).page.replaceAll(MOUNT_PLACE, escaped(mount));
    return { html, etag: `"${hash.sha256(html).slice(0, 32)}"` };
  }

  async function respondWithPage(request: Request): Promise<Response> {
    page ??= readPage();
    const { html, etag } = await page;
    const headers = { ...policy, etag, "cache-control": "no-cache" };
    if (isUnchanged(request, etag)) return new Response(null, { status: 304, headers });
    return new Response(html, { headers: { ...headers, "content-type": "text/html; charset=utf-8" } });
  }

  async function respondWithFile(request: Request, file: ConsoleFile): Promise<Response> {
    const isGzip = GZIP.test(request.headers.get("accept-encoding") ?? "");
    // Both are different representations of the file.
    const etag = `"${file.digest.slice(0, 32)}${isGzip ? "-gzip" : ""}"`;
    const shared = { ...policy, etag, "cache-control": FOREVER, vary: "accept-encoding" };
    if (isUnchanged(request, etag)) return new Response(null, { status: 304, headers: shared });
    const bytes = await file.gzip();
    const headers = { ...shared, "content-type": file.type };
    if (isGzip) {
      const coded = { "content-encoding": "gzip", "content-length": String(bytes.length) };
      return new Response(bytes, { headers: { ...headers, ...coded } });
    }
    const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(plain, { headers: { ...headers, "content-length": String(file.size) } });
  }

  return {
    async respond(request, path) {
      const { files } = await console.load();
      const file = files.get(path);
      if (file !== undefined) return respondWithFile(request, file);
      if (path === PAGE || !FILE.test(path)) return respondWithPage(request);
      throw new StepwellError("not_found", "The console has no such file. A newer version may have replaced it.");
    },
  };
}

function isUnchanged({ headers }: Request, etag: string): boolean {
  const tags = headers.get("if-none-match");
  return tags !== null && namesTag(tags, etag);
}

/** In the value of an attribute. */
function escaped(mount: string): string {
  return mount.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}
