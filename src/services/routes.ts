/** The routes of services. */
import { one, route } from "../http/route.ts";
import { list } from "../schema.ts";
import type { Services } from "./registry.ts";
import { ServiceInfo } from "./service-info.ts";

export interface Slices {
  readonly services: Pick<Services, "describe">;
}

export const serviceRoutes = {
  list: route({
    method: "GET",
    path: "/services",
    access: "app",
    scope: "workflows:read",
    summary:
      "List the built-in and custom services that steps can call, with a JSON Schema for the input of each action.",
    answers: one(list(ServiceInfo)),
    run: ({ services }: Slices) => services.describe(),
  }),
};
