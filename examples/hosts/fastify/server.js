// Stepwell in Fastify: node examples/hosts/fastify/server.js
import Fastify from "fastify";
import { stepwellFastify } from "stepwell/fastify";
import { port, printUrl, stepwell } from "../instance.js";

const app = Fastify();
app.register(stepwellFastify, { prefix: "/automation", stepwell });
app.get("/", async () => ({ hello: "world" }));
await app.listen({ port });
printUrl();
