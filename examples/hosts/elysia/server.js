// Stepwell in Elysia: bun examples/hosts/elysia/server.js
import { Elysia } from "elysia";
import { port, printUrl, stepwell } from "../instance.js";

new Elysia({ serve: { idleTimeout: 0 } }) // Bun closes connections after 10 seconds; events can be further apart
  .mount("/automation", (request) => stepwell.fetch(request))
  .get("/", () => ({ hello: "world" }))
  .listen(port, printUrl);
