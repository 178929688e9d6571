/** A version, read-only: canvas, outline and JSON. */
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { definitionOf, type Version } from "../../../../src/workflows/version.ts";
import type { Workflow } from "../../../../src/workflows/workflow.ts";
import { Outline } from "../editor/outline/outline.tsx";
import { VIEWS } from "../editor/toolbar.tsx";
import { Button } from "../elements/controls/button.tsx";
import { Tabs } from "../elements/controls/tabs.tsx";
import { Loading } from "../elements/loading.tsx";
import { PageHead } from "../elements/page-head.tsx";
import { ProblemNote } from "../elements/problem-note.tsx";
import { part } from "../loading/part.tsx";
import { navigate, useQueryParams } from "../routing/location.ts";
import { useScopeRefusal } from "../session/session-context.ts";
import { useSettings } from "../settings/use-settings.ts";
import { useTexts } from "../texts/language.ts";
import { useWorkflow } from "../workflows/use-workflow.ts";
import { RollBackDialog } from "./roll-back-dialog.tsx";
import { useVersion, useVersionName } from "./use-version.ts";
import { VersionCounts } from "./version-counts.tsx";
import { VersionStep } from "./version-step.tsx";
import "./versions.css";

const Canvas = part(async () => ({ default: (await import("../canvas/canvas.tsx")).Canvas }));
const DefinitionText = part(async () => ({
  default: (await import("../editor/json/definition-text.tsx")).DefinitionText,
}));

interface OneVersionProps {
  readonly appId: string;
  readonly workflowId: string;
  readonly version: string;
}

export function OneVersion({ appId, workflowId, version }: OneVersionProps) {
  const { versions: texts } = useTexts();
  const found = useVersion(appId, workflowId, version);
  const workflow = useWorkflow(appId, workflowId);
  const nameOf = useVersionName();
  const base = `/apps/${appId}/workflows/${workflowId}`;
  const name = texts.versionOf(nameOf(version), workflow.data?.name ?? workflowId);
  // The draft has no number, and the runs without one are of all its states.
  const number = /^\d{1,9}$/.test(version) ? Number(version) : (found.data?.version ?? 0);
  return (
    <>
      <PageHead
        title={name}
        beside={
          number === 0 ? null : (
            <VersionCounts
              appId={appId}
              workflowId={workflowId}
              version={number}
              isLatest={number === workflow.data?.latest_version}
            />
          )
        }
        actions={
          <>
            {found.data === undefined || workflow.data === undefined ? null : (
              <RollBack appId={appId} workflow={workflow.data} version={found.data} />
            )}
            <Button onClick={() => navigate(`${base}/versions/${version}...draft`)}>{texts.compareWithDraft}</Button>
            <Button icon="edit" onClick={() => navigate(base)}>
              {texts.openDraft}
            </Button>
          </>
        }
        {...(found.data?.notes == null
          ? undefined
          : { below: <bdi className="version-notes">{found.data.notes}</bdi> })}
      />
      {found.error !== null ? (
        <ProblemNote error={found.error} onRetry={() => void found.refetch()} />
      ) : found.data === undefined ? (
        <Loading />
      ) : (
        <Views version={found.data} name={name} />
      )}
    </>
  );
}

interface RollBackProps {
  readonly appId: string;
  readonly workflow: Workflow;
  readonly version: Version;
}

/** Nothing for the latest version, which is in use, and for the draft. */
function RollBack({ appId, workflow, version }: RollBackProps) {
  const { versions: texts } = useTexts();
  const refusal = useScopeRefusal("workflows:write");
  const queries = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const { id, name, latest_version: latest } = workflow;
  if (latest === null || version.version === latest || version.version === 0) return null;
  return (
    <>
      <Button icon="undo" refusal={refusal} onClick={() => setOpen(true)}>
        {texts.rollBack}
      </Button>
      {isOpen ? (
        <RollBackDialog
          appId={appId}
          workflowId={id}
          name={name}
          version={version}
          latest={latest}
          onDone={() => void queries.invalidateQueries({ queryKey: [appId, "workflows"] })}
          onClose={() => setOpen(false)}
        />
      ) : null}
    </>
  );
}

function Views({ version, name }: { readonly version: Version; readonly name: string }) {
  const { editor: texts } = useTexts();
  const [params, setParams] = useQueryParams();
  const { prefersOutline } = useSettings();
  const wanted = VIEWS.find((one) => one === params.get("view"));
  const view = wanted ?? (prefersOutline || matchMedia("(width < 700px)").matches ? "outline" : "canvas");
  const chosen = params.get("step");
  // The text has all steps.
  const step = view === "json" ? undefined : version.steps.find(({ key }) => key === chosen);
  const choose = (step: string | null) => setParams({ step }, { replace: true });
  return (
    <div className="version-screen">
      <Tabs
        label={texts.view}
        tabs={VIEWS.map((one) => ({ name: one, label: texts.views[one] }))}
        chosen={view}
        onChoose={(next) => setParams({ view: next })}
      >
        <div className={step === undefined ? "version-view" : "version-view with-step"}>
          <div className="version-picture">
            {view === "canvas" ? (
              <Canvas label={texts.canvasLabel(name)} steps={version.steps} chosen={chosen} onChoose={choose} />
            ) : view === "outline" ? (
              <Outline
                label={texts.outlineLabel(name)}
                definition={version}
                chosen={chosen}
                onChoose={choose}
                actions={null}
              />
            ) : (
              <DefinitionText
                label={texts.jsonLabel(name)}
                definition={definitionOf(version)}
                problems={[]}
                chosen={chosen}
                actions={null}
              />
            )}
          </div>
          {step === undefined ? null : (
            <VersionStep version={version} step={step} onChoose={choose} onClose={() => choose(null)} />
          )}
        </div>
      </Tabs>
    </div>
  );
}
