/** A process that serves forms over HTTP from a folder, until it is killed. */
import { once } from "node:events";
import { writeSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { toNodeHandler } from "../../../adapters/http/node.ts";
import { createStepwell } from "../../../src/index.ts";
import { silent } from "../../support/storage/open.ts";
import { ORIGIN, storageAt } from "./storage.ts";

const [base = ""] = process.argv.slice(2);
const stepwell = createStepwell({ storage: storageAt(base), baseUrl: ORIGIN, logger: silent });
await stepwell.ready();
const server = createServer(toNodeHandler(stepwell));
server.listen(0, "127.0.0.1");
await once(server, "listening");
writeSync(1, `http://127.0.0.1:${(server.address() as AddressInfo).port}\n`); // of a server that listens
