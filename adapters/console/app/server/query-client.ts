/** What the page has read from the server. */
import { onlineManager, QueryClient } from "@tanstack/react-query";
import { isServerError } from "./client.ts";
import { lostSince, onConnection } from "./connection.ts";

// What could not be read is read again when the server can be reached again, not only when the browser has a network.
onlineManager.setEventListener((setOnline) => onConnection(() => setOnline(lostSince() === null)));

/** The client repeats transient failures itself. What is not there, or not allowed, does not change by asking again. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (failures, error) => failures < 2 && isServerError(error) && error.status >= 500 && lostSince() === null,
      staleTime: 2_000,
      refetchOnWindowFocus: true,
      // A request without a network fails, and the page says so. Waiting for one would look as if there was nothing.
      networkMode: "always",
      refetchOnReconnect: true,
    },
    mutations: { networkMode: "always" },
  },
});
