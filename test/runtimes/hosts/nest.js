/** NestJS, with Stepwell before its body parsers, or behind them as the middleware of a module. */
import "reflect-metadata";
import { Module } from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import { toNodeHandler } from "stepwell/http/node";
import { port, ready, stepwell } from "./service.js";

const [, , place] = process.argv;
const handle = toNodeHandler(stepwell);

class AppModule {
  configure(consumer) {
    if (place === "module") consumer.apply(handle).forRoutes("/automation");
  }
}
Module({})(AppModule);

const app = await NestFactory.create(AppModule, { logger: ["error", "warn"], rawBody: true });
if (place === "before") app.use("/automation", handle);
app.getHttpAdapter().useBodyParser("json", true, { limit: "64mb" }); // larger than what the service takes
await app.listen(port, "127.0.0.1");
ready();
