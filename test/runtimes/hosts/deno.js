import { port, ready, stepwell } from "./service.js";

Deno.serve({ port, hostname: "127.0.0.1", onListen: ready }, stepwell.fetch);
