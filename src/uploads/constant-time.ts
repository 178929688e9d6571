/** Makes responses of upload URLs take constant time, so that timing reveals nothing to clients that guess URLs. */
import { StepwellError } from "../errors.ts";

/** Longer than a lookup. Slower responses take a multiple of it. */
const STEP_MS = 20;
/** Statuses of upload URLs that do not exist, were used, or have expired. */
const CLOSED_STATUSES: ReadonlySet<number> = new Set([404, 409, 410]);

/** Delays responses that reveal whether an upload URL exists, but not those to a client that uploads to an open one. */
export function withConstantTiming<Slices, Call>(
  respond: (slices: Slices, request: Request, call: Call) => Promise<Response>,
): (slices: Slices, request: Request, call: Call) => Promise<Response> {
  return async (slices, request, call) => {
    const start = performance.now();
    const isQuery = request.method === "GET";
    try {
      const response = await respond(slices, request, call);
      if (isQuery || CLOSED_STATUSES.has(response.status)) await nextStep(start);
      return response;
    } catch (error) {
      if (error instanceof StepwellError && CLOSED_STATUSES.has(error.status)) await nextStep(start);
      throw error;
    }
  };
}

/** Uses a timer of the runtime: timers of the clock port would let the process exit while a client waits. */
function nextStep(start: number): Promise<void> {
  const passed = performance.now() - start;
  return new Promise((resolve) => setTimeout(resolve, STEP_MS - (passed % STEP_MS)));
}
