/** The service that every host of these tests serves: the built package, told where it is by its environment. */
import { createStepwell } from "stepwell";

const { PORT, BASE_URL, ALLOW, ADMIN_KEY, SQLITE_FILE } = process.env;

export const port = Number(PORT);

/** What the service logs as gone wrong, a line each: nothing that a client did may be among it. */
const logLine = (message, details) => console.log(`LOGGED ${message}: ${details?.error?.stack ?? details?.error}`);

/** In memory, or in the SQLite of the runtime. */
const storage = SQLITE_FILE && {
  entities: (await import("stepwell/storage/sqlite")).default({ file: SQLITE_FILE }),
};

export const stepwell = createStepwell({
  ...(storage && { storage }),
  baseUrl: BASE_URL,
  adminKey: ADMIN_KEY,
  secret: "a-secret-of-these-tests-with-32-characters-or-more",
  net: { allow: [ALLOW] },
  logger: { debug() {}, info() {}, warn: logLine, error: logLine },
});

/** Tells the test that requests can come. */
export const ready = () => console.log("READY");
