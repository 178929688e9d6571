/**
 * What property-based tests draw from. The suite draws the same on every machine, so that what passes here passes
 * there; `npm run fuzz` draws anew.
 */
import fc from "fast-check";

fc.configureGlobal({ seed: Number(process.env["FUZZ_SEED"] ?? 20_261_121) });
