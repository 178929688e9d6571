// A service whose steps call another system. Stepwell runs a step at least once, always with the same idempotency key.
import { defineService } from "stepwell";
import * as v from "valibot";

export function createShopService(url, worker) {
  return defineService({
    name: "shop",
    actions: {
      call: {
        input: v.object({ task: v.string() }),
        output: v.object({ receipt: v.string() }),
        async run({ task }, { run_id, idempotencyKey, signal }) {
          const headers = { "idempotency-key": idempotencyKey, worker };
          const response = await fetch(`${url}/${run_id}/${task}`, { method: "POST", headers, signal });
          if (!response.ok) throw new Error(`The shop has responded with ${response.status}.`);
          return response.json();
        },
      },
    },
  });
}

const call = (task, destination) => ({
  type: "service",
  key: task,
  service: { service: "shop", action: "call", input: { task } },
  destinations: destination === undefined ? [] : [destination],
});

/** An order, which waits for a second between packing and shipping. */
export const ORDER = {
  name: "Order",
  steps: [
    call("charge", "pack"),
    call("pack", "pause"),
    {
      type: "service",
      key: "pause",
      service: { service: "scheduler", action: "delay", input: { seconds: 1 } },
      destinations: ["ship"],
    },
    call("ship"),
  ],
};
