/** Builds the page of the console for the tests, as `npm test` does for the package. */
import { join, resolve } from "node:path";
import { packConsole } from "../../../build/pack-console.ts";

const ROOT = resolve(import.meta.dirname, "../../..");

export default async function setup(): Promise<void> {
  await packConsole(join(ROOT, "node_modules/.cache/stepwell-console"));
}
