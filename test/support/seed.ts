/**
 * The seed and the number of rounds of property-based tests. The suite uses the same seed on every machine, so that results are reproducible;
 * `npm run fuzz` uses new ones.
 */
import fc from "fast-check";
import { times } from "./sample.ts";

/** Of tests that do not say how many they need. */
const ROUNDS = times(40, 100);

fc.configureGlobal({ seed: Number(process.env["FUZZ_SEED"] ?? 20_261_121), numRuns: ROUNDS });
