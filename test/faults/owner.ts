/** A process that owns a folder until it is killed. */
import fs from "../../adapters/storage/fs/fs.ts";

const driver = fs({ base: process.argv[2] ?? "" });
await driver.setItem?.("a:b", "x", {});
console.log("ready");
setInterval(() => undefined, 1_000);
