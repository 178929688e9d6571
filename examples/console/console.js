// A server with the console, in which people use the session of the host: node examples/console/console.js
// With PORT, it keeps running: PORT=3000 node examples/console/console.js, then open http://localhost:3000/login
import { createServer } from "node:http";
import { createStepwell } from "stepwell";
import { webConsole } from "stepwell/console";
import { toNodeHandler } from "stepwell/http/node";

const { PORT = "0" } = process.env;
const server = createServer();
await new Promise((listening) => server.listen(Number(PORT), listening));
const url = `http://localhost:${server.address().port}`;

// Your own sessions: here, one person, whom a cookie of your service names.
const people = { "session=ada": { id: "ada", name: "Ada" } };
const personOf = (cookies) => people[(cookies ?? "").split("; ").find((cookie) => people[cookie])];

const stepwell = createStepwell({
  baseUrl: url,
  console: webConsole({
    session(request) {
      const person = personOf(request.headers.get("cookie"));
      return person === undefined ? null : { app_id: app.id, name: person.name, user: person };
    },
    signIn: `${url}/login`,
  }),
});
const app = await stepwell.apps.create({ name: "Shop" });
const handle = toNodeHandler(stepwell);
server.on("request", (request, response) => {
  if (request.url !== "/login") return handle(request, response);
  response.writeHead(302, { "set-cookie": "session=ada; HttpOnly; SameSite=Lax; Path=/", location: "/console/" }).end();
});

const page = await fetch(`${url}/console/`);
console.log(page.status, page.headers.get("content-type"));
const headers = { "stepwell-console": "1" };
const nobody = await (await fetch(`${url}/console/session`, { headers })).json();
console.log(nobody.session, nobody.sign_in === `${url}/login`);
const ada = await (await fetch(`${url}/console/session`, { headers: { ...headers, cookie: "session=ada" } })).json();
console.log(ada.session.kind, ada.session.name, ada.session.app_id === app.id);

if (PORT === "0") {
  server.close();
  server.closeAllConnections();
  await stepwell.close();
} else console.log(`Open ${url}/login`);
