/** Starts Stepwell with the server, so that schedules and unfinished runs don't wait for a request. */
export async function register() {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { getStepwell } = await import("./stepwell.js");
  await getStepwell();
}
