/** Lets answers of upload addresses take the same time, whatever they say: who guesses addresses learns nothing by it. */
import { StepwellError } from "../errors.ts";

/** Milliseconds: more than it takes to find out. What takes longer is answered after a multiple of it. */
const STEP = 20;
/** Not found, used, expired. */
const CLOSED: ReadonlySet<number> = new Set([404, 409, 410]);

/** Holds back what tells whether an address is there. What a sender to an open one is told comes at once. */
export function withConstantTiming<Slices, Call>(
  respond: (slices: Slices, request: Request, call: Call) => Promise<Response>,
): (slices: Slices, request: Request, call: Call) => Promise<Response> {
  return async (slices, request, call) => {
    const start = performance.now();
    const isAsked = request.method === "GET";
    try {
      const response = await respond(slices, request, call);
      if (isAsked || CLOSED.has(response.status)) await nextStep(start);
      return response;
    } catch (error) {
      if (error instanceof StepwellError && CLOSED.has(error.status)) await nextStep(start);
      throw error;
    }
  };
}

/** Not by the clock port, whose timers let a process end: somebody waits for this answer. */
function nextStep(start: number): Promise<void> {
  const passed = performance.now() - start;
  return new Promise((resolve) => setTimeout(resolve, STEP - (passed % STEP)));
}
