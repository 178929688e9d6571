import { Elysia } from "elysia";
import { port, ready, stepwell } from "./service.js";

new Elysia({ serve: { idleTimeout: 0 } })
  .mount("/automation", (request) => stepwell.fetch(request))
  .listen({ port, hostname: "127.0.0.1" }, ready);
