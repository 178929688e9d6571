/** Finds workflows and runs for the command menu. */
import { useQuery } from "@tanstack/react-query";
import { useDeferredValue } from "react";
import { navigate } from "../routing/location.ts";
import { client } from "../server/client.ts";
import type { Command } from "./commands.ts";

const MAX_FOUND = 6;

export function useFound(appId: string | null, text: string): readonly Command[] {
  const search = useDeferredValue(text.trim());
  const found = useQuery({
    queryKey: [appId, "find", search],
    queryFn: () => (appId === null ? [] : find(appId, search)),
    enabled: appId !== null && search.length > 1,
    placeholderData: (before) => before,
  });
  return search.length > 1 ? (found.data ?? []) : [];
}

async function find(appId: string, search: string): Promise<readonly Command[]> {
  const [workflows, collections, runs] = await Promise.all([
    client.workflows.list(appId, { search }).then(
      ({ items }) => items,
      () => [],
    ),
    client.collections.list(appId, { search }).then(
      ({ items }) => items,
      () => [],
    ),
    search.startsWith("run_")
      ? client.runs.get(appId, search).then(
          (run) => [run],
          () => [],
        )
      : [],
  ]);
  return [
    ...runs.map(({ id }) => ({
      name: id,
      label: id,
      icon: "runs" as const,
      run: () => navigate(`/apps/${appId}/runs/${id}`),
    })),
    ...workflows.slice(0, MAX_FOUND).map(({ id, name }) => ({
      name: id,
      label: name,
      icon: "workflows" as const,
      run: () => navigate(`/apps/${appId}/workflows/${id}`),
    })),
    ...collections.slice(0, MAX_FOUND).map(({ id, name }) => ({
      name: id,
      label: name,
      icon: "collections" as const,
      run: () => navigate(`/apps/${appId}/collections/${id}`),
    })),
  ];
}
