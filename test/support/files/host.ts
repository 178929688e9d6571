/** A service behind a real server with the given drivers, which can be restarted at the same URL. */
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { toNodeHandler } from "../../../adapters/http/node.ts";
import { createStepwell, type Stepwell } from "../../../src/create.ts";
import type { Options } from "../../../src/index.ts";
import type { Driver } from "../../../src/ports/driver.ts";

export interface Host {
  readonly stepwell: Stepwell;
  readonly appId: string;
  /** Creates an upload URL. */
  address(input?: Parameters<Stepwell["files"]["createUpload"]>[1]): Promise<{ url: string; fileId: string }>;
  /** Downloads the bytes of a file. */
  read(fileId: string): Promise<Uint8Array>;
  /** Replaces the service by a new one, as a deployment does. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

export async function openHost(
  drivers: () => { entities: Driver; blobs?: Driver },
  options: Options = {},
): Promise<Host> {
  const server: Server = createServer((request, response) => handler(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/automation`; // of a server that listens
  const start = () => createStepwell({ ...options, baseUrl, storage: drivers() });
  let stepwell = start();
  let handler = toNodeHandler(stepwell);
  const { id: appId } = await stepwell.apps.create({ name: "Tests" });

  return {
    get stepwell() {
      return stepwell;
    },
    appId,
    async address(input = {}) {
      const { upload_url, future_file_id } = await stepwell.files.createUpload(appId, input);
      return { url: upload_url, fileId: future_file_id };
    },
    async read(fileId) {
      const { body } = await stepwell.files.content(appId, fileId);
      return new Uint8Array(await new Response(body).arrayBuffer());
    },
    async restart() {
      await stepwell.close();
      stepwell = start();
      handler = toNodeHandler(stepwell);
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await stepwell.close();
    },
  };
}
