// Stepwell in Bun: bun examples/hosts/bun/server.js
import { port, printUrl, stepwell } from "../instance.js";

Bun.serve({
  port,
  idleTimeout: 0, // the default closes connections after 10 seconds; events can be further apart
  routes: {
    "/automation/*": (request) => stepwell.fetch(request),
    "/": () => Response.json({ hello: "world" }),
  },
});
printUrl();
