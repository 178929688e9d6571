import Koa from "koa";
import { toNodeHandler } from "stepwell/http/node";
import { port, ready, stepwell } from "./service.js";

const app = new Koa();
const handle = toNodeHandler(stepwell);
app.use((context, next) => {
  if (!context.path.startsWith("/automation/")) return next();
  context.respond = false;
  handle(context.req, context.res);
});
app.listen(port, "127.0.0.1", ready);
