/** A process that works: `hold` keeps its first job until it is killed, `close` ends the connection and must end itself. */
import { createConnection } from "../../../adapters/cluster/connection.ts";
import { checkOptions } from "../../../adapters/cluster/options.ts";
import { TIMING } from "../../../adapters/cluster/timing.ts";
import type { Logger } from "../../../src/ports/logger.ts";
import { systemClock } from "../../../src/time/system-clock.ts";

const [url = "", prefix = "", what = "", lockMs = ""] = process.argv.slice(2);
const ignore = () => undefined;
const logger: Logger = { debug: ignore, info: ignore, warn: ignore, error: ignore };
const timing = { ...TIMING, lockMs: Number(lockMs) };
const connection = createConnection(checkOptions({ connection: url, prefix }), { clock: systemClock, logger }, timing);

const taken = new Promise<void>((resolve) => {
  connection.work({
    concurrency: 1,
    async handle({ id }) {
      console.log(`taken ${id}`);
      resolve();
      return new Promise<never>(() => undefined);
    },
  });
});
connection.subscribe(ignore);
if (what === "close") {
  await connection.add([{ id: "own", kind: "run", subject: "own" }]).then(
    () => taken,
    (error) => console.log(`refused ${error.code}`),
  );
  await connection.close(new Promise(() => undefined));
  console.log("closed");
}
