/** The difference of two versions: by step and field, and on two canvases that move together. */
import { useMemo, useState } from "react";
import type { Version } from "../../../../src/workflows/version.ts";
import type { StepMark } from "../canvas/canvas-store.ts";
import { Button } from "../elements/controls/button.tsx";
import { Tabs } from "../elements/controls/tabs.tsx";
import { Loading } from "../elements/loading.tsx";
import { PageHead } from "../elements/page-head.tsx";
import { ProblemNote } from "../elements/problem-note.tsx";
import { part } from "../loading/part.tsx";
import { navigate, useQueryParams } from "../routing/location.ts";
import { useTexts } from "../texts/language.ts";
import { useWorkflow } from "../workflows/use-workflow.ts";
import { changesBetween } from "./changes.ts";
import { DifferenceList } from "./difference-list.tsx";
import { comparedOf, useVersion, useVersionName } from "./use-version.ts";
import "./versions.css";

const Canvas = part(async () => ({ default: (await import("../canvas/canvas.tsx")).Canvas }));

interface DifferenceScreenProps {
  readonly appId: string;
  readonly workflowId: string;
  readonly from: string;
  readonly to: string;
}

const VIEWS = ["list", "canvases"] as const;

export function DifferenceScreen({ appId, workflowId, from, to }: DifferenceScreenProps) {
  const { versions: texts } = useTexts();
  const [params, setParams] = useQueryParams();
  const before = useVersion(appId, workflowId, from);
  const after = useVersion(appId, workflowId, to);
  const nameOf = useVersionName();
  const workflow = useWorkflow(appId, workflowId);
  const base = `/apps/${appId}/workflows/${workflowId}`;
  const error = before.error ?? after.error;
  const view = VIEWS.find((one) => one === params.get("view")) ?? "list";
  return (
    <>
      <PageHead
        title={texts.compareTitle(comparedOf(from), comparedOf(to), workflow.data?.name ?? workflowId)}
        actions={
          <Button icon="history" onClick={() => navigate(`${base}/versions`)}>
            {texts.title(workflow.data?.name ?? workflowId)}
          </Button>
        }
      />
      <div className="version-screen">
        <Choice appId={appId} workflowId={workflowId} from={from} to={to} />
        {error !== null ? (
          <ProblemNote error={error} />
        ) : before.data === undefined || after.data === undefined ? (
          <Loading />
        ) : (
          <Tabs
            label={texts.views}
            tabs={VIEWS.map((name) => ({ name, label: texts[name] }))}
            chosen={view}
            onChoose={(next) => setParams({ view: next })}
          >
            {view === "list" ? (
              <>
                <h2 className="visually-hidden">{texts.list}</h2>
                <DifferenceList before={before.data} after={after.data} />
              </>
            ) : (
              <Canvases before={before.data} after={after.data} names={[nameOf(from), nameOf(to)]} />
            )}
          </Tabs>
        )}
      </div>
    </>
  );
}

function Choice({ appId, workflowId, from, to }: DifferenceScreenProps) {
  const { versions: texts } = useTexts();
  const workflow = useWorkflow(appId, workflowId);
  const nameOf = useVersionName();
  const latest = workflow.data?.latest_version ?? 0;
  const numbers = Array.from({ length: Math.min(latest, 200) }, (_, index) => String(latest - index));
  const all = [...new Set(["draft", "latest", ...numbers, from, to])];
  const go = (one: string, other: string) =>
    navigate(`/apps/${appId}/workflows/${workflowId}/versions/${one}...${other}`);
  const options = all.map((version) => (
    <option key={version} value={version}>
      {nameOf(version)}
    </option>
  ));
  return (
    <div className="version-choice">
      <label>
        {texts.from}
        <select value={from} onChange={({ target }) => go(target.value, to)}>
          {options}
        </select>
      </label>
      <label>
        {texts.to}
        <select value={to} onChange={({ target }) => go(from, target.value)}>
          {options}
        </select>
      </label>
    </div>
  );
}

interface CanvasesProps {
  readonly before: Version;
  readonly after: Version;
  readonly names: readonly [string, string];
}

function Canvases({ before, after, names }: CanvasesProps) {
  const { versions: texts } = useTexts();
  const [chosen, setChosen] = useState<string | null>(null);
  const [viewport, setViewport] = useState({ x: 24, y: 24, zoom: 0.8 });
  const marks = useMemo(() => marksOf(before, after), [before, after]);
  return (
    <div className="version-canvases">
      {[before, after].map((version, index) => (
        <section key={names[index]}>
          <h2>{names[index]}</h2>
          <Canvas
            label={texts.canvasOf(names[index] ?? "")}
            steps={version.steps}
            marks={index === 0 ? marks.before : marks.after}
            chosen={chosen}
            onChoose={setChosen}
            viewport={viewport}
            onViewport={setViewport}
          />
        </section>
      ))}
    </div>
  );
}

function marksOf(before: Version, after: Version) {
  const marks = { before: new Map<string, StepMark>(), after: new Map<string, StepMark>() };
  for (const { key, kind, from } of changesBetween(before, after).steps) {
    if (kind === "added") marks.after.set(key, { change: "added" });
    else if (kind === "removed") marks.before.set(key, { change: "removed" });
    else {
      marks.before.set(from ?? key, { change: "changed" });
      marks.after.set(key, { change: "changed" });
    }
  }
  return marks;
}
