/** What `GET /` of the server of `stepwell dev` responds with: browsers go to the console. */
import type { IncomingMessage, ServerResponse } from "node:http";

export function respondWithAddresses(request: IncomingMessage, response: ServerResponse, url: string): void {
  if (request.headers.accept?.includes("text/html") === true) {
    response.writeHead(302, { location: "/console/", "cache-control": "no-store", vary: "accept" }).end();
    return;
  }
  const headers = { "content-type": "text/plain; charset=utf-8", vary: "accept" };
  response.writeHead(200, headers).end(`Stepwell runs here.

${url}/console/       the web console; the terminal shows an address that signs in
${url}/docs           the reference of all routes, in the console
${url}/openapi.json   describes all routes
${url}/health         says whether the server is ready

Requests need the key in .stepwell/.dev.json: Authorization: Bearer KEY
In the folder of the project, commands find address and key themselves:

npx stepwell run NAME            starts a run and follows it
npx stepwell api workflows list  calls any function of the API
`);
}
