/**
 * A Unix socket in a folder, or a named pipe on Windows, that a process listens on. The kernel closes it with the process,
 * however that ends, and answers for it until then, also while the process is stopped.
 */
import { closeSync, existsSync, openSync } from "node:fs";
import { connect, createServer, type Server } from "node:net";
import { join } from "node:path";
import { systemErrorCode } from "../../src/errors.ts";

export interface Listening {
  close(): void;
}

interface Address {
  readonly path: string;
  /** Lets go of what the path stands on. */
  close(): void;
}

/** Bytes that the path of a socket may have: 103 on macOS, 107 on Linux. */
const MAX_PATH_BYTES = 103;
/** Nobody listens, or there is no socket any more. */
const DEAD: ReadonlySet<unknown> = new Set(["ECONNREFUSED", "ENOENT"]);
/** So many have asked that the kernel takes no more: the owner is stopped, or busy. */
const BUSY = "EAGAIN";

/** Null where the folder cannot hold a socket. @param id Of the lock: names the pipe */
export async function listenIn(folder: string, id: string): Promise<Listening | null> {
  const address = addressIn(folder, id);
  if (address === null) return null;
  const server = createServer((socket) => socket.destroy());
  if (!(await isListening(server, address.path))) {
    address.close();
    return null;
  }
  server.on("error", () => undefined).unref();
  // The path stays until then: closing removes what it names.
  return { close: () => server.close(address.close) };
}

/** Whether the process that listens there lives; null where that cannot be told. */
export async function isAnswered(folder: string, id: string): Promise<boolean | null> {
  const address = addressIn(folder, id);
  if (address === null) return null;
  try {
    return await isConnected(address.path);
  } finally {
    address.close();
  }
}

function isListening(server: Server, path: string): Promise<boolean> {
  return new Promise((resolve) => {
    server.once("error", () => resolve(false));
    // Exclusive: a worker of node:cluster would let its primary listen.
    server.listen({ path, exclusive: true }, () => resolve(true));
  });
}

function isConnected(path: string): Promise<boolean | null> {
  return new Promise((resolve) => {
    const socket = connect(path, () => {
      socket.destroy();
      resolve(true);
    });
    socket.on("error", (error) => {
      const code = systemErrorCode(error);
      resolve(DEAD.has(code) ? false : code === BUSY ? true : null);
    });
  });
}

function addressIn(folder: string, id: string): Address | null {
  if (process.platform === "win32") return { path: `\\\\.\\pipe\\stepwell-${id}`, close() {} };
  const path = join(folder, "socket");
  if (Buffer.byteLength(path) <= MAX_PATH_BYTES) return { path, close() {} };
  return process.platform === "linux" ? throughDescriptor(folder) : null;
}

/** A path of any length becomes a short one through a descriptor of its folder. */
function throughDescriptor(folder: string): Address | null {
  let descriptor: number;
  try {
    descriptor = openSync(folder, "r");
  } catch {
    return null;
  }
  const path = `/proc/self/fd/${descriptor}`;
  if (existsSync(path)) return { path: `${path}/socket`, close: () => closeSync(descriptor) };
  closeSync(descriptor);
  return null;
}
