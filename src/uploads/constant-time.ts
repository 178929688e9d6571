/** Makes responses of upload URLs take the same time whatever they say, so that guessing URLs reveals nothing. */
import { StepwellError } from "../errors.ts";

/** More than a lookup takes. What takes longer is answered after a multiple of it. */
const STEP_MS = 20;
/** Not found, used, expired. */
const CLOSED_STATUSES: ReadonlySet<number> = new Set([404, 409, 410]);

/** Delays responses that reveal whether an upload URL exists. Those to a sender at an open one are not delayed. */
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

/** Not by the clock port, whose timers let a process end: somebody waits for this answer. */
function nextStep(start: number): Promise<void> {
  const passed = performance.now() - start;
  return new Promise((resolve) => setTimeout(resolve, STEP_MS - (passed % STEP_MS)));
}
