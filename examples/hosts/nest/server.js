// Stepwell in NestJS: node examples/hosts/nest/server.js
import "reflect-metadata";
import { Controller, Get, Module } from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import { toNodeHandler } from "stepwell/http/node";
import { port, printUrl, stepwell } from "../instance.js";

class HelloController {
  hello() {
    return { hello: "world" };
  }
}
class AppModule {}

// In TypeScript, write these as decorators: @Get(), @Controller(), @Module({ … }).
Get()(HelloController.prototype, "hello", Object.getOwnPropertyDescriptor(HelloController.prototype, "hello"));
Controller()(HelloController);
Module({ controllers: [HelloController] })(AppModule);

const app = await NestFactory.create(AppModule, { logger: ["error", "warn"] });
app.use("/automation", toNodeHandler(stepwell)); // before listen(), which adds Nest's body parsers
await app.listen(port);
printUrl();
