/** Hono in Node.js, Bun and Deno. */
import { Hono } from "hono";
import { port, ready, stepwell } from "./service.js";

const app = new Hono();
app.all("/automation/*", (context) => stepwell.fetch(context.req.raw));

const hostname = "127.0.0.1";
if (globalThis.Bun !== undefined) {
  Bun.serve({ fetch: app.fetch, port, hostname, idleTimeout: 0 });
  ready();
} else if (globalThis.Deno !== undefined) {
  Deno.serve({ port, hostname, onListen: ready }, app.fetch);
} else {
  const { serve } = await import("@hono/node-server");
  serve({ fetch: app.fetch, port, hostname }, ready);
}
