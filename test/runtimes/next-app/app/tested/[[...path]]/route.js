import { nextStepwell } from "stepwell/next";

/** The service creates its instance when it is loaded. */
const { handlers } = nextStepwell(
  async () => {
    const { ready, stepwell } = await import("../../../service.js");
    ready();
    return stepwell;
  },
  { name: "tested" },
);
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = handlers;
