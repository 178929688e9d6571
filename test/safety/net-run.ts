/** Runs the scenarios of the guarded fetch without vitest; prints one JSON object of names and outcomes. */
import { scenarios } from "./net-scenarios.ts";

const outcomes: Record<string, string> = {};
for (const [name, run] of Object.entries(scenarios)) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const hung = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve("hung"), 240_000);
  });
  outcomes[name] = await Promise.race([
    run().then(
      () => "ok",
      (error: unknown) => String(error),
    ),
    hung,
  ]);
  clearTimeout(timer);
}
console.log(JSON.stringify(outcomes));
process.exit(0);
