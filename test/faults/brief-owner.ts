/** A process that takes a folder and ends without letting go of it. */
import fs from "../../adapters/storage/fs.ts";

await fs({ base: process.argv[2] ?? "" }).setItem?.("a:b", "x", {});
console.log("ready");
