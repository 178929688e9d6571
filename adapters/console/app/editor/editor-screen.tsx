/** The draft of a workflow, to be edited. */
import { useQuery } from "@tanstack/react-query";
import { Loading } from "../elements/loading.tsx";
import { ScreenProblem } from "../elements/screen-problem.tsx";
import type { ScreenProps } from "../routing/screen-props.ts";
import { useWorkflow } from "../workflows/use-workflow.ts";
import { Editor } from "./editor.tsx";
import { openDraft } from "./saving/draft-session.ts";

export default function EditorScreen({ params: { app = "", workflow = "" } }: ScreenProps) {
  const found = useWorkflow(app, workflow);
  const opened = useQuery({
    queryKey: [app, "workflows", workflow, "session"],
    queryFn: () => openDraft(app, workflow),
    staleTime: 0,
    gcTime: 0,
    structuralSharing: false,
    refetchOnWindowFocus: false,
  });
  const error = found.error ?? opened.error;
  if (found.data !== undefined && opened.data !== undefined)
    return <Editor key={workflow} workflow={found.data} session={opened.data} />;
  if (error === null) return <Loading />;
  return (
    <ScreenProblem
      appId={app}
      section="workflows"
      error={error}
      onRetry={() => {
        void found.refetch();
        void opened.refetch();
      }}
    />
  );
}
