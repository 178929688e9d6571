/** The row of the services. */
import { one, route } from "../http/route.ts";
import { list } from "../schema.ts";
import { ServiceInfo } from "./service-info.ts";

export const serviceRoutes = {
  list: route({
    method: "GET",
    path: "/services",
    access: "app",
    scope: "workflows:read",
    summary: "The services that steps can call, built in and of the host, with JSON Schema of what each action takes.",
    answers: one(list(ServiceInfo)),
    run: ({ services }) => services.describe(),
  }),
};
