/**
 * `npm test` with the files that it leaves out, `*.long.test.ts`, and with every case of the matrices of which it runs a
 * sample (test/support/sample.ts): `npm run test:full -- [FILE …]`.
 */
import process from "node:process";

process.env.TEST_FULL = "every case";
await import("./run.js");
