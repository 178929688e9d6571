/** All benches, one after the other, each in a process of its own. */
import { spawnSync } from "node:child_process";

for (const name of [
  "import",
  "handler",
  "server",
  "lists",
  "startup",
  "records",
  "growth",
  "upload",
  "upload-memory",
  "http-memory",
  "engine",
  "steps",
  "redis-store",
  "waiting",
  "code",
  "stores/postgres",
  "stores/choice",
  "stores/workers",
]) {
  console.log(`\n# ${name}`);
  const { status } = spawnSync(process.execPath, [`${name}.js`], { stdio: "inherit", cwd: import.meta.dirname });
  if (status !== 0) process.exitCode = 1;
}
