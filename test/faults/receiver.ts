/** A process that takes uploads in a folder, and tells where, until it is killed. */
import { writeSync } from "node:fs";
import { join } from "node:path";
import unstorageFs from "unstorage/drivers/fs-lite";
import fs from "../../adapters/storage/fs.ts";
import { openHost } from "../files/host.ts";

const [base = "", kind = ""] = process.argv.slice(2);
const blobs = join(base, "blobs");
const host = await openHost(() => ({
  entities: fs({ base: join(base, "entities") }),
  blobs: kind === "chunks" ? unstorageFs({ base: blobs }) : fs({ base: blobs }),
}));
const { url, fileId } = await host.address();
writeSync(1, `${new URL(url).origin} ${new URL(url).pathname} ${fileId} ${host.appId}\n`);
