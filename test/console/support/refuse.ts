/** Refuses requests, as a server does that has changed its mind. */
import { onTestFinished } from "vitest";
import type { ConsoleServer } from "./console-server.ts";

/** Refuses requests to a URL until the returned function is called, or the test ends. The page shows the detail. */
export function refuse(server: ConsoleServer, method: string, url: RegExp, detail: string): () => void {
  server.intercept((request, response) => {
    if (request.method !== method || !url.test(request.url ?? "")) return false;
    response.writeHead(403, { "content-type": "application/problem+json" });
    response.end(JSON.stringify({ status: 403, code: "forbidden", title: "Forbidden", detail }));
    return true;
  });
  const end = () => server.intercept(() => false);
  onTestFinished(end);
  return end;
}
