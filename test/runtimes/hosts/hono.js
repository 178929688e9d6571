import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { port, ready, stepwell } from "./service.js";

const app = new Hono();
app.all("/automation/*", (context) => stepwell.fetch(context.req.raw));
serve({ fetch: app.fetch, port, hostname: "127.0.0.1" }, ready);
