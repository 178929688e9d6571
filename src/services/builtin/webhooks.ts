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
        "Responds to the request that started the run through an incoming webhook, and the run goes on. Only the first response within 30 seconds is sent. Has no effect in other runs.",
      input: HookResponse,
      output: HookResponse,
      run: (response) => response,
    },
  },
});
