/**
 * A Unix socket in a folder, or a named pipe on Windows, on which a process listens. The kernel closes it when the
 * process exits for any reason. Until then the kernel accepts connections, even while the process is stopped.
 */
import { closeSync, existsSync, openSync } from "node:fs";
import { connect, createServer, type Server } from "node:net";
import { join } from "node:path";
import { systemErrorCode } from "../../../src/errors.ts";

export interface Listening {
  close(): void;
}

interface Address {
  readonly path: string;
  /** Closes the descriptor that the path depends on. */
  close(): void;
}

/** Maximum length of a socket path in bytes: 103 on macOS, 107 on Linux. */
const MAX_PATH_BYTES = 103;
/** No process listens, or the socket doesn't exist. */
const DEAD_CODES: ReadonlySet<unknown> = new Set(["ECONNREFUSED", "ENOENT"]);
/** The backlog is full: the owner is alive, but stopped or busy. */
const BUSY_CODE = "EAGAIN";

/** Returns null if the folder doesn't support sockets. @param id ID of the lock, which names the pipe on Windows. */
export async function listenIn(folder: string, id: string): Promise<Listening | null> {
  const address = addressIn(folder, id);
  if (address === null) return null;
  const server = createServer((socket) => socket.destroy());
  if (!(await isListening(server, address.path))) {
    address.close();
    return null;
  }
  server.on("error", () => undefined).unref();
  // The path must stay valid until then, because closing the server deletes the socket.
  return { close: () => server.close(address.close) };
}

/** Whether the listening process is alive, or null if this is unknown. */
export async function isListenerAlive(folder: string, id: string): Promise<boolean | null> {
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
    // Exclusive, because in a node:cluster worker the primary process would listen otherwise.
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
      resolve(DEAD_CODES.has(code) ? false : code === BUSY_CODE ? true : null);
    });
  });
}

function addressIn(folder: string, id: string): Address | null {
  if (process.platform === "win32") return { path: `\\\\.\\pipe\\stepwell-${id}`, close() {} };
  const path = join(folder, "socket");
  if (Buffer.byteLength(path) <= MAX_PATH_BYTES) return { path, close() {} };
  return process.platform === "linux" ? throughDescriptor(folder) : null;
}

/** Shortens a path through a file descriptor of its folder. */
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
