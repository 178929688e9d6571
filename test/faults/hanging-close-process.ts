/** A process in which nothing but closing is left to do, on a storage that hangs. Its timers are a thousand times faster. */
import { type Clock, createStepwell } from "../../src/index.ts";
import { quickClock } from "../support/engine/quick-clock.ts";
import { silent } from "../support/engine/service.ts";
import { hangingStorage } from "../support/storage/hanging.ts";

const quick = quickClock(1_000, undefined, false);
/** Also speeds up the limits of close(), which the quick clock leaves as they are. */
const clock: Clock = { ...quick, after: (milliseconds, callback) => quick.after(milliseconds + 1, callback) };
const storage = hangingStorage();
const stepwell = createStepwell({ storage: { entities: storage.driver }, clock, logger: silent });
await stepwell.apps.create({ name: "Stored" });
storage.hang();
stepwell.apps.create({ name: "Hanging" }).catch(() => undefined);
await stepwell.close();
console.log("closed");
