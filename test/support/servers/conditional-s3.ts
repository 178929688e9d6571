/** A small S3 server in memory, for what s3rver lacks: conditional requests, paged lists, and failures on demand. */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

export interface ConditionalS3Options {
  /** Whether removals are conditional, as at AWS and Ceph; other services ignore the condition. @default true */
  readonly removesOnCondition?: boolean;
}

export interface ConditionalS3 {
  readonly url: string;
  /** Makes the next requests fail with this status. */
  fail(status: number, times: number): void;
  /** Host and path of every request. */
  readonly requests: string[];
  close(): Promise<void>;
}

const PAGE = 2;

interface StoredObject {
  readonly body: Buffer;
  readonly etag: string;
  /** The headers of the request that stored it. */
  readonly metadata: Readonly<Record<string, string>>;
}

export async function startConditionalS3({
  removesOnCondition = true,
}: ConditionalS3Options = {}): Promise<ConditionalS3> {
  const objects = new Map<string, StoredObject>();
  const requests: string[] = [];
  const failures: number[] = [];

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
    requests.push(`${request.method} ${request.headers.host} ${pathname}`);
    const body = Buffer.concat(await request.toArray());
    const end = (status: number, text: string | Buffer = "", headers = {}) =>
      response.writeHead(status, headers).end(text);
    const failure = failures.shift();
    if (failure !== undefined) return void end(failure, "<Message>on demand</Message>");
    const key = decodeURIComponent(pathname);
    const found = objects.get(key);
    if (searchParams.has("list-type")) return void end(200, list(key, searchParams));
    const condition = request.headers["if-match"];
    if (request.method === "PUT") {
      if (request.headers["if-none-match"] === "*" && found !== undefined) return void end(412);
      if (condition !== undefined && found === undefined) return void end(404, "<Code>NoSuchKey</Code>");
      if (condition !== undefined && found?.etag !== condition) return void end(412);
      objects.set(key, { body, etag: etagOf(body), metadata: metadataOf(request) });
      return void end(200);
    }
    if (request.method === "DELETE") {
      if (removesOnCondition && condition !== undefined && found !== undefined && found.etag !== condition)
        return void end(412);
      objects.delete(key);
      return void end(204);
    }
    if (found === undefined) return void end(404, "<Code>NoSuchKey</Code>");
    const headers = { etag: found.etag, ...found.metadata };
    const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "");
    if (range === null) return void end(200, found.body, headers);
    end(206, found.body.subarray(Number(range[1]), Number(range[2]) + 1), headers);
  }

  function list(root: string, query: URLSearchParams): string {
    const from = query.get("continuation-token") ?? "";
    const names = [...objects.keys()].map((key) => key.slice(root.length)).sort();
    const rest = names.filter((name) => name.startsWith(query.get("prefix") ?? "") && name > from);
    const page = rest.slice(0, PAGE);
    const next = rest.length > PAGE ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : "";
    return `<ListBucketResult>${page.map((name) => `<Contents><Key>${name}</Key></Contents>`).join("")}${next}</ListBucketResult>`;
  }

  const server = createServer((request, response) => void answer(request, response)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("The server has no port.");
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    fail: (status, times) => failures.push(...Array.from({ length: times }, () => status)),
    close: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function etagOf(body: Buffer): string {
  return `"${createHash("md5").update(body).digest("hex")}"`;
}

function metadataOf({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      name.startsWith("x-amz-meta-") && typeof value === "string" ? [[name, value]] : [],
    ),
  );
}
