/**
 * The seed of property-based tests. The suite uses the same seed on every machine, so that results are reproducible;
 * `npm run fuzz` uses new ones.
 */
import fc from "fast-check";

fc.configureGlobal({ seed: Number(process.env["FUZZ_SEED"] ?? 20_261_121) });
