/** A TCP proxy that breaks connections after a number of bytes, as networks do. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export async function openCuttingProxy(port: () => number) {
  const left = { up: Number.POSITIVE_INFINITY, down: Number.POSITIVE_INFINITY };
  const open = new Set<Socket>();
  let cuts = 0;
  const server = createServer((near) => {
    const far = connect(port(), "127.0.0.1");
    const ends = [near, far] as const;
    const destroy = () => {
      for (const end of ends) end.destroy();
    };
    const forward = (from: Socket, to: Socket, direction: keyof typeof left) => {
      open.add(from);
      from.on("data", (bytes) => {
        const passed = bytes.subarray(0, Math.max(0, left[direction]));
        left[direction] -= bytes.length;
        to.write(passed);
        if (left[direction] > 0) return;
        left[direction] = Number.POSITIVE_INFINITY;
        cuts++;
        // After what was passed on.
        to.end(destroy);
      });
      from.on("error", destroy);
      from.on("close", () => {
        open.delete(from);
        to.destroy();
      });
    };
    forward(near, far, "up");
    forward(far, near, "down");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    /** Breaks the connection that exceeds so many bytes from now on, of all connections together. */
    cutAfter(direction: "up" | "down", bytes: number): void {
      left[direction] = bytes;
    },
    /** Number of connections broken so far. */
    cuts: () => cuts,
    async close(): Promise<void> {
      server.close();
      for (const socket of open) socket.destroy();
      await once(server, "close");
    },
  };
}
