// Stepwell in Koa: node examples/hosts/koa/server.js
import Koa from "koa";
import { toNodeHandler } from "stepwell/http/node";
import { port, printUrl, stepwell } from "../instance.js";

const app = new Koa();
const handle = toNodeHandler(stepwell);

// Before body parsers: signed webhooks need the original bytes.
app.use((context, next) => {
  if (!context.path.startsWith("/automation/")) return next();
  context.respond = false; // Stepwell sends the response itself
  handle(context.req, context.res);
});
app.use((context) => {
  context.body = { hello: "world" };
});
app.listen(port, printUrl);
