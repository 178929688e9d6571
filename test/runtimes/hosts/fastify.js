import Fastify from "fastify";
import { stepwellFastify } from "stepwell/fastify";
import { port, ready, stepwell } from "./service.js";

const app = Fastify({ bodyLimit: 100 }); // of the routes of the host
app.register(stepwellFastify, { prefix: "/automation", stepwell, closeWithServer: true });
await app.listen({ port });
ready();
