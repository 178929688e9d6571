/** A process that locks a folder and ends without releasing it. */
import fs from "../../adapters/storage/fs/fs.ts";

await fs({ base: process.argv[2] ?? "" }).setItem?.("a:b", "x", {});
console.log("ready");
