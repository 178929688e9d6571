/** What the routes run on: the functions of all slices, which take inputs that were checked. Types only. */

import type { Apps } from "../apps/apps.ts";
import type { Keys } from "../apps/keys.ts";
import type { Collections } from "../collections/collections.ts";
import type { Records } from "../collections/records/records.ts";
import type { Tags } from "../collections/tags.ts";
import type { Connections } from "../connections/connections.ts";
import type { FileLinks } from "../files/file-links.ts";
import type { Files } from "../files/files.ts";
import type { Health } from "../health/health.ts";
import type { Webhooks } from "../hooks/deliveries.ts";
import type { Signatures } from "../hooks/signatures.ts";
import type { Runs } from "../runs/runs.ts";
import type { Schedules } from "../schedules/schedules.ts";
import type { Services } from "../services/registry.ts";
import type { Resumable } from "../uploads/resumable/resumable-uploads.ts";
import type { Uploads } from "../uploads/uploads.ts";
import type { Versions } from "../workflows/versions.ts";
import type { Workflows } from "../workflows/workflows.ts";

export interface Core {
  readonly apps: Apps;
  readonly keys: Keys;
  readonly workflows: Workflows;
  readonly versions: Versions;
  readonly runs: Runs;
  readonly schedules: Schedules;
  readonly webhooks: Webhooks;
  readonly signatures: Omit<Signatures, "check">;
  readonly services: Pick<Services, "describe">;
  readonly connections: Omit<Connections, "open" | "removeAll">;
  readonly uploads: Uploads;
  readonly resumable: Resumable;
  readonly files: Files;
  readonly fileLinks: FileLinks;
  readonly collections: Collections;
  readonly records: Records;
  readonly tags: Tags;
  readonly health: Health;
}
