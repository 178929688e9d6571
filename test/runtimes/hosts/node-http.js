import { createServer } from "node:http";
import { toNodeHandler } from "stepwell/http/node";
import { port, ready, stepwell } from "./service.js";

createServer(toNodeHandler(stepwell)).listen(port, "127.0.0.1", ready);
