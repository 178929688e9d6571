/** Finds workflows and runs for the command menu. */
import { useQuery } from "@tanstack/react-query";
import { SEARCH_PATIENCE_MS, useSettled } from "../elements/use-settled.ts";
import { navigate } from "../routing/location.ts";
import { client } from "../server/client.ts";
import { useMay } from "../session/session-context.ts";
import { useTexts } from "../texts/language.ts";
import { type Command, runCommand } from "./commands.ts";

const MAX_FOUND = 6;
const RUN_ID = /^run_\w{26}$/;
const NOTHING: readonly Command[] = [];

interface Found {
  readonly commands: readonly Command[];
  /** Whether what was found is not yet what the text asks for. */
  readonly isSearching: boolean;
}

export function useFound(appId: string | null, text: string): Found {
  const { editor } = useTexts();
  const mayRun = useMay("runs:write");
  const verb = editor.run.toLowerCase();
  // "Run report" finds the workflow "Report", and so does "Run: Report", as the menu shows it.
  const words = text.trim().split(/\s+/);
  const wanted = words.filter((word) => word.toLowerCase().replace(/:$/, "") !== verb).join(" ");
  const search = useSettled(wanted, SEARCH_PATIENCE_MS);
  const found = useQuery({
    queryKey: [appId, "find", search, mayRun ? editor.run : null],
    queryFn: ({ signal }) => (appId === null ? [] : find(appId, search, mayRun ? editor.run : null, signal)),
    enabled: appId !== null && search.length > 1,
    placeholderData: (before) => before,
  });
  if (appId === null || wanted.length <= 1) return { commands: NOTHING, isSearching: false };
  const isSearching = search !== wanted || found.isPlaceholderData || found.isLoading;
  return { commands: search.length > 1 ? (found.data ?? NOTHING) : NOTHING, isSearching };
}

/** @param run The word for running a workflow; null if the session may not. */
async function find(
  appId: string,
  search: string,
  run: string | null,
  signal: AbortSignal,
): Promise<readonly Command[]> {
  const reading = client.with({ signal });
  const [workflows, collections, runs] = await Promise.all([
    reading.workflows.list(appId, { search }).then(
      ({ items }) => items,
      () => [],
    ),
    reading.collections.list(appId, { search }).then(
      ({ items }) => items,
      () => [],
    ),
    RUN_ID.test(search)
      ? reading.runs.get(appId, search).then(
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
    ...(run === null ? [] : workflows.slice(0, MAX_FOUND)).map(({ id, name }) => ({
      name: runCommand(id),
      label: `${run}: ${name}`,
      verb: run,
      icon: "runs" as const,
      run: () => navigate(`/apps/${appId}/workflows/${id}/new-run`),
    })),
    ...collections.slice(0, MAX_FOUND).map(({ id, name }) => ({
      name: id,
      label: name,
      icon: "collections" as const,
      run: () => navigate(`/apps/${appId}/collections/${id}`),
    })),
  ];
}
