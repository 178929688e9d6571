/** A proxy on loopback whose connections fail where a test says so. */
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** Where the connection ends that carries a request with a text. */
export interface Cut {
  /** Text of the request. */
  readonly request: string;
  /** What is cut: the request, or everything that the server sends afterwards. */
  readonly of: "request" | "answer";
  /** Bytes that still pass. */
  readonly bytes: number;
}

export interface TcpProxy {
  readonly port: number;
  /** Number of connections that were cut. */
  readonly cuts: number;
  /** Number of connections that were opened. */
  readonly connections: number;
  /** Number of bytes of requests that were not passed. */
  readonly heldBytes: number;
  /** Cuts the next connection that fits. */
  cutNext(cut: Cut): void;
  /** Has the server seem to shut down in the same moment in which a connection, counted from 1, is ready for queries. */
  endWhenReady(connection: number): void;
  /** Passes no more bytes from now on, but keeps connections open. */
  pause(of?: "both" | "answer"): void;
  /** Ends the connections that were paused, and passes bytes on new ones. */
  resume(): void;
  /** Cuts all connections. Those that are opened while it is on are accepted, but never pass anything. */
  swallow(isOn: boolean): void;
  /** Leads to another server from now on, as the address of a database does when it fails over. */
  redirect(targetPort: number): void;
  close(): Promise<void>;
}

/** Messages of PostgreSQL (its documentation, "Message Formats"): it accepts a query, and it shuts down. */
const READY_FOR_QUERY = Buffer.from("Z\0\0\0\x05I", "latin1");
const SHUTDOWN = errorMessage("SFATAL", "VFATAL", "C57P01", "Mterminating connection due to administrator command");

function errorMessage(...fields: readonly string[]): Buffer {
  const body = Buffer.from(`${fields.map((field) => `${field}\0`).join("")}\0`, "latin1");
  const head = Buffer.alloc(5);
  head.write("E");
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

export async function startProxy(targetPort: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let next: Cut | null = null;
  let cuts = 0;
  let heldBytes = 0;
  let connections = 0;
  let ended: number | null = null;
  let paused: "both" | "answer" | null = null;
  let port = targetPort;
  let isSwallowing = false;

  const server = createServer((client) => {
    const target = connect(port, "127.0.0.1");
    const ofThis = ++connections;
    /** Bytes of answers that still pass; null for all. */
    let left: number | null = null;
    const isSwallowed = isSwallowing;
    const end = () => {
      client.destroy();
      target.destroy();
      sockets.delete(client);
    };
    const cutNow = () => {
      cuts++;
      end();
    };
    sockets.add(client);
    client.on("data", (data) => {
      if (isSwallowed) return;
      if (paused === "both") {
        heldBytes += data.length;
        return;
      }
      if (next === null || !data.includes(next.request)) {
        target.write(data);
        return;
      }
      const { of, bytes } = next;
      next = null;
      if (of === "answer") {
        left = bytes;
        target.write(data);
      } else {
        // Ended by the client's side, so that the server gets these bytes.
        target.write(data.subarray(0, bytes), cutNow);
      }
    });
    target.on("data", (data) => {
      if (paused !== null) return;
      if (ofThis === ended && data.includes(READY_FOR_QUERY)) {
        ended = null;
        client.write(Buffer.concat([data, SHUTDOWN]), cutNow);
        return;
      }
      if (left === null) client.write(data);
      else if (data.length < left) {
        left -= data.length;
        client.write(data);
      } else client.write(data.subarray(0, left), cutNow);
    });
    for (const socket of [client, target]) socket.on("error", end).on("close", end);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("No free port on loopback.");

  return {
    port: address.port,
    get cuts() {
      return cuts;
    },
    get connections() {
      return connections;
    },
    get heldBytes() {
      return heldBytes;
    },
    cutNext(cut) {
      next = cut;
    },
    endWhenReady(connection) {
      ended = connection;
    },
    pause(of = "both") {
      paused = of;
    },
    resume() {
      paused = null;
      for (const socket of sockets) socket.destroy();
    },
    swallow(isOn) {
      isSwallowing = isOn;
      if (isOn) for (const socket of sockets) socket.destroy();
    },
    redirect(to) {
      port = to;
      for (const socket of sockets) socket.destroy();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
