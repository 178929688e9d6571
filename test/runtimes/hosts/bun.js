import { port, ready, stepwell } from "./service.js";

Bun.serve({ port, hostname: "127.0.0.1", fetch: stepwell.fetch });
ready();
