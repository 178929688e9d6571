/** What goes away by itself, every hour: files whose time is over, bytes that nobody owns, uploads that nobody ended. */

import type { Files } from "../files/files.ts";
import type { LooseBlobs } from "../files/orphan-blobs.ts";
import type { Clock } from "../ports/clock.ts";
import type { Logger } from "../ports/logger.ts";
import { createHourly, type Hourly } from "../time/hourly-job.ts";
import type { UnfinishedUploads } from "./resumable/partial-uploads.ts";

export function createFileCleaning(parts: {
  clock: Clock;
  logger: Logger;
  files: Pick<Files, "removeExpired">;
  loose: Pick<LooseBlobs, "sweep">;
  unfinished: Pick<UnfinishedUploads, "sweep">;
}): readonly Hourly[] {
  const { clock, logger, files, loose, unfinished } = parts;

  function hourly(what: string, act: (isStopped: () => boolean) => Promise<void>): Hourly {
    const failed = `${what} could not be removed; trying again in an hour`;
    const job = createHourly({ clock, logger, act: () => act(() => job.isStopped), failed });
    return job;
  }

  return [
    hourly("expired files", files.removeExpired),
    hourly("bytes that nobody owns", loose.sweep),
    hourly("what came in parts to expired addresses", unfinished.sweep),
  ];
}
