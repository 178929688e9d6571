/** A process that closes its store while a server does not respond, long before any time limit. */
import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import postgres from "../../../adapters/storage/postgres/postgres.ts";
import { systemClock } from "../../../src/time/system-clock.ts";
import { silent } from "../../support/storage/open.ts";

const server = createServer().unref();
const connected = new Promise<void>((resolve) => {
  server.on("connection", (socket: Socket) => {
    socket.on("error", () => undefined).unref();
    resolve();
  });
});
await once(server.listen(0, "127.0.0.1").ref(), "listening");
const address = server.address();
const url = `postgres://u@127.0.0.1:${typeof address === "object" ? address?.port : 0}/postgres`;
const store = postgres({ url, timeoutMs: 600_000 }).createStore({ clock: systemClock, logger: silent });
store.get("thing:a").catch(() => undefined);
await connected;
server.unref();
await store.close(Promise.resolve());
console.log("closed");
