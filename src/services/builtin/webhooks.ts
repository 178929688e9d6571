/** The built-in service `webhooks`: steps answer the request that started the run. */
import { HookResponse, RESPOND } from "../../hooks/hook-response.ts";
import { defineService } from "../define-service.ts";

export const webhooks = defineService({
  name: RESPOND.service,
  title: "Incoming webhooks",
  actions: {
    [RESPOND.action]: {
      title: "Respond",
      description:
        "Responds to the incoming webhook request that started the run. The run continues. Stepwell sends only the first response, within 30 seconds of the request. Has no effect in other runs.",
      input: HookResponse,
      output: HookResponse,
      run: (response) => response,
    },
  },
});
