/** The name of a workflow, as a link to it. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "../routing/link.tsx";
import { client, isServerError } from "../server/client.ts";
import { useTexts } from "../texts/language.ts";

export function WorkflowName({ appId, workflowId }: { readonly appId: string; readonly workflowId: string }) {
  const { workflows: texts } = useTexts();
  const workflow = useQuery({
    queryKey: [appId, "workflows", workflowId, "summary"],
    queryFn: ({ signal }) => client.with({ signal }).workflows.get(appId, workflowId),
    staleTime: 60_000,
    retry: false,
  });
  if (isServerError(workflow.error) && workflow.error.code === "not_found")
    return <span>{texts.deletedOne(workflowId)}</span>;
  return (
    <Link to={`/apps/${appId}/workflows/${workflowId}`}>
      <bdi>{workflow.data?.name ?? workflowId}</bdi>
    </Link>
  );
}
