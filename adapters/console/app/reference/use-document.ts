/** Reads the OpenAPI document of the server. */
import { useQuery } from "@tanstack/react-query";
import { mount } from "../routing/location.ts";
import type { OpenApiDocument } from "./document.ts";

export const documentUrl = `${mount}/openapi.json`;

export function useDocument() {
  return useQuery({
    queryKey: ["openapi"],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      const response = await fetch(documentUrl, { signal });
      if (!response.ok) throw new Error(`The server responded with ${response.status}.`);
      return (await response.json()) as OpenApiDocument;
    },
  });
}
