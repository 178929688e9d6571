/** What `GET /` of the server of `stepwell dev` responds with, until there is a console. */
import type { ServerResponse } from "node:http";

export function respondWithAddresses(response: ServerResponse, url: string): void {
  response.writeHead(200, { "content-type": "text/plain; charset=utf-8" }).end(`Stepwell runs here.

${url}/openapi.json   describes all routes
${url}/health         says whether the server is ready

Requests need the key in .stepwell/.dev.json: Authorization: Bearer KEY
In the folder of the project, commands find address and key themselves:

npx stepwell run NAME            starts a run and follows it
npx stepwell api workflows list  calls any function of the API
`);
}
