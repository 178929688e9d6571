// Stepwell in Deno: deno run -A examples/hosts/deno/server.js
import { port, printUrl, stepwell } from "../instance.js";

Deno.serve({ port, onListen: printUrl }, (request) => {
  if (new URL(request.url).pathname.startsWith("/automation/")) return stepwell.fetch(request);
  return Response.json({ hello: "world" });
});
