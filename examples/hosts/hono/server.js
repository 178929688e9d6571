// Stepwell in Hono: node examples/hosts/hono/server.js
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { port, printUrl, stepwell } from "../instance.js";

const app = new Hono();
app.all("/automation/*", (context) => stepwell.fetch(context.req.raw));
app.get("/", (context) => context.json({ hello: "world" }));
serve({ fetch: app.fetch, port }, printUrl); // Bun.serve(…) and Deno.serve(…) take app.fetch, too
