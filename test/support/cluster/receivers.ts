/** Processes of a cluster that receive uploads, and clients that may reach any of them. */
import memoryBlocks from "unstorage/drivers/memory";
import memoryDriver from "../../../adapters/storage/memory.ts";
import type { Driver, ExtendedDriver } from "../../../src/ports/driver.ts";
import { openProcesses, type Process, type Processes } from "./processes.ts";

/** Drivers in memory that several processes share: with growing items, and with blocks of a mebibyte. */
export const SHARED_BLOBS: readonly { readonly name: string; open(): Driver }[] = [
  { name: "growing items", open: () => shared(memoryDriver()) },
  { name: "blocks", open: () => shared(memoryBlocks()) },
];

/** Closing one of the processes must not delete the files of the others. */
function shared({ dispose: _, ...driver }: ExtendedDriver): ExtendedDriver {
  return { ...driver, canBeShared: true };
}

export interface Receivers extends Processes {
  readonly app: string;
  /** The process at which the app was created. */
  readonly first: Process;
  readonly second: Process;
  /** Creates an upload URL. */
  address(input?: object): Promise<{ readonly url: string; readonly file: string }>;
  /** The bytes of a file, read at the second process, which verifies them. */
  read(file: string): Promise<Uint8Array>;
  /** The number of items that the driver holds. */
  items(): Promise<number>;
  /** Moves the clock until a promise has settled. */
  settled<T>(promise: Promise<T>): Promise<T>;
}

export async function openReceivers(blobs: Driver): Promise<Receivers> {
  const processes = openProcesses(undefined, blobs);
  const first = await processes.start("first", { limits: { bodyIdleMs: DAY_MS } });
  const second = await processes.start("second", { limits: { bodyIdleMs: DAY_MS } });
  const app = (await first.stepwell.apps.create({ name: "Tests" })).id;
  return {
    ...processes,
    ...{ app, first, second },

    async address(input = {}) {
      const { upload_url, future_file_id } = await second.stepwell.files.createUpload(app, input);
      return { url: upload_url, file: future_file_id };
    },

    async read(file) {
      const { body } = await second.stepwell.files.content(app, file);
      return new Uint8Array(await new Response(body).arrayBuffer());
    },

    items: async () => (await blobs.getKeys("", {})).length,

    async settled(promise) {
      let isSettled = false;
      const settle = () => {
        isSettled = true;
      };
      promise.then(settle, settle);
      await processes.until(() => isSettled);
      return promise;
    },
  };
}

const DAY_MS = 86_400_000;
