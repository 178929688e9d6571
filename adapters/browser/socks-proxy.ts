/**
 * The only network access of a page: a SOCKS5 proxy (RFC 1928) on loopback, for one page, that connects only to
 * permitted addresses. The browser passes hostnames to it and never resolves them itself, so the checked address is the
 * one that is connected to. This covers pages, redirects, frames, WebSockets, prefetching, and anything that browsers
 * will load in the future. Another program on the machine that finds the port, while the page is open, can reach no
 * more than the page can.
 */
import type { LookupAddress, LookupOptions } from "node:dns";
import { lookup } from "node:dns/promises";
import { once } from "node:events";
import { connect, createServer, isIP, type Socket } from "node:net";
import { isStepwellError } from "../../src/errors.ts";
import type { Permitted } from "../../src/ports/browser.ts";

export interface SocksProxy {
  /** The proxy's URL, as a browser accepts it. */
  readonly address: string;
  /** Why the last connection to `host:port` failed. */
  failure(host: string): unknown;
  /** Closes all connections. */
  close(): void;
}

export interface SocksProxyParts {
  readonly permitted: Permitted;
  /** Returns all IP addresses of a hostname. */
  readonly resolve: Resolve;
  /** Maximum bytes in both directions. If exceeded, all connections close and {@link onTrafficExceeded} is called. */
  readonly traffic: number;
  onTrafficExceeded(): void;
}

export type Resolve = (hostname: string) => Promise<readonly string[]>;
type LookupCallback = (error: Error | null, found: string | LookupAddress[], family?: number) => void;

const VERSION = 5;
const CONNECT = 1;
const ADDRESS_TYPE = { ipv4: 1, name: 3, ipv6: 4 } as const;
/** Reply codes. */
const REPLY = { connected: 0, refused: 2, unreachable: 4, unknownCommand: 7 } as const;
/** Milliseconds until the browser must have sent the target, and until a connection must exist. */
const CONNECT_TIMEOUT_MS = 15_000;

export const systemResolver: Resolve = async (hostname) =>
  (await lookup(hostname, { all: true })).map(({ address }) => address);

export async function openSocksProxy(parts: SocksProxyParts): Promise<SocksProxy> {
  const sockets = new Set<Socket>();
  const failures = new Map<string, unknown>();
  let left = parts.traffic;
  let isClosed = false;

  function keep(socket: Socket): Socket {
    sockets.add(socket);
    socket.on("error", () => socket.destroy()); // the `close` event ends the other side
    socket.on("close", () => sockets.delete(socket));
    if (isClosed) socket.destroy();
    return socket;
  }

  function count(piece: Uint8Array): void {
    left -= piece.length;
    if (left >= 0 || isClosed) return;
    close();
    parts.onTrafficExceeded();
  }

  async function serve(client: Socket): Promise<void> {
    client.setTimeout(CONNECT_TIMEOUT_MS, () => client.destroy());
    const target = await targetOf(client);
    if (target === null) return void client.end(reply(REPLY.unknownCommand));
    const name = `${isIP(target.hostname) === 6 ? `[${target.hostname}]` : target.hostname}:${target.port}`;
    try {
      const server = keep(await dial({ ...target, name }, parts));
      failures.delete(name);
      client.setTimeout(0);
      client.write(reply(REPLY.connected));
      join(client, server);
    } catch (error) {
      failures.set(name, error);
      client.end(reply(isStepwellError(error, "address_refused") ? REPLY.refused : REPLY.unreachable));
    }
  }

  function join(client: Socket, server: Socket): void {
    client.on("data", count);
    server.on("data", count);
    client.pipe(server).pipe(client);
    client.on("close", () => server.destroy());
    server.on("close", () => client.destroySoon());
  }

  function close(): void {
    isClosed = true;
    listener.close();
    for (const socket of sockets) socket.destroy();
  }

  const listener = createServer((client) => void serve(keep(client)).catch(() => client.destroy()));
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  const bound = listener.address();
  if (bound === null || typeof bound === "string") throw new Error("The proxy of a page has no port.");
  return {
    address: `socks5://127.0.0.1:${bound.port}`,
    failure: (host) => failures.get(host),
    close,
  };
}

/** Reads the requested target. Null if the command is not CONNECT. */
async function targetOf(client: Socket): Promise<{ hostname: string; port: number } | null> {
  const [version, methods = 0] = await readExactly(client, 2);
  if (version !== VERSION) throw new Error("not SOCKS5");
  await readExactly(client, methods);
  client.write(Uint8Array.of(VERSION, 0)); // no authentication: Chromium doesn't support it for SOCKS
  const [, command, , kind] = await readExactly(client, 4);
  const hostname = await hostOf(client, kind);
  const port = (await readExactly(client, 2)).readUInt16BE();
  return command === CONNECT ? { hostname, port } : null;
}

async function hostOf(client: Socket, kind: number | undefined): Promise<string> {
  if (kind === ADDRESS_TYPE.ipv4) return (await readExactly(client, 4)).join(".");
  if (kind === ADDRESS_TYPE.name) {
    const [length = 0] = await readExactly(client, 1);
    return (await readExactly(client, length)).toString("latin1").toLowerCase();
  }
  if (kind !== ADDRESS_TYPE.ipv6) throw new Error("not a SOCKS5 address type");
  const bytes = await readExactly(client, 16);
  return Array.from({ length: 8 }, (_, at) => bytes.readUInt16BE(2 * at).toString(16)).join(":");
}

/** Reads exactly `size` bytes. */
async function readExactly(socket: Socket, size: number): Promise<Buffer> {
  for (;;) {
    const found: Buffer | null = size === 0 ? Buffer.alloc(0) : socket.read(size);
    if (found?.length === size) return found;
    if (found !== null || socket.destroyed || socket.readableEnded)
      throw new Error("the browser closed the connection");
    await Promise.race([once(socket, "readable"), once(socket, "close")]);
  }
}

async function dial(
  target: { hostname: string; port: number; name: string },
  { permitted, resolve }: SocksProxyParts,
): Promise<Socket> {
  const { hostname, port } = target;
  const found = isIP(hostname) === 0 ? await resolve(hostname) : [hostname];
  const pinned = permitted(target, found).map((address) => ({ address, family: isIP(address) }));
  const server = connect({
    host: hostname,
    port,
    noDelay: true,
    autoSelectFamily: true,
    lookup: (_: string, options: LookupOptions, callback: LookupCallback) => {
      const [first] = pinned;
      if (options.all === true || first === undefined) callback(null, pinned);
      else callback(null, first.address, first.family);
    },
  });
  server.setTimeout(CONNECT_TIMEOUT_MS, () => server.destroy(new Error("no connection in time")));
  await once(server, "connect");
  server.setTimeout(0);
  return server;
}

/** The bound address is left empty, because the browser doesn't use it. */
function reply(code: number): Uint8Array {
  return Uint8Array.of(VERSION, code, 0, ADDRESS_TYPE.ipv4, 0, 0, 0, 0, 0, 0);
}
