/** A small S3-speaking server in memory, for what s3rver lacks: conditional puts, paged lists, and failing on demand. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

export interface ConditionalS3 {
  readonly url: string;
  /** The next requests are answered with this status. */
  fail(status: number, times: number): void;
  /** Host and path of every request. */
  readonly requests: string[];
  close(): Promise<void>;
}

const PAGE = 2;

export async function startConditionalS3(): Promise<ConditionalS3> {
  const objects = new Map<string, Buffer>();
  const requests: string[] = [];
  const failures: number[] = [];

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
    requests.push(`${request.method} ${request.headers.host} ${pathname}`);
    const body = Buffer.concat(await request.toArray());
    const end = (status: number, text: string | Buffer = "") => response.writeHead(status).end(text);
    const failure = failures.shift();
    if (failure !== undefined) return void end(failure, "<Message>on demand</Message>");
    const key = decodeURIComponent(pathname);
    const found = objects.get(key);
    if (searchParams.has("list-type")) return void end(200, list(key, searchParams));
    if (request.method === "PUT") {
      if (request.headers["if-none-match"] === "*" && found !== undefined) return void end(412);
      objects.set(key, body);
      return void end(200);
    }
    if (request.method === "DELETE") {
      objects.delete(key);
      return void end(204);
    }
    if (found === undefined) return void end(404, "<Code>NoSuchKey</Code>");
    const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "");
    if (range === null) return void end(200, found);
    end(206, found.subarray(Number(range[1]), Number(range[2]) + 1));
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
