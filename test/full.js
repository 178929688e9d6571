/** `npm test` with every case of the matrices of which it runs a sample (test/support/sample.ts): `npm run test:full -- [FILE …]`. */
import process from "node:process";

process.env.TEST_FULL = "every case";
await import("./run.js");
