/** Where a step leads to, by its ways: to connect and disconnect without a pointer. */
import type { Step } from "../../../../../src/workflows/step.ts";
import type { Definition } from "../../../../../src/workflows/version.ts";
import { Button, IconButton } from "../../elements/controls/button.tsx";
import { useTexts } from "../../texts/language.ts";
import type { Messages } from "../../texts/messages.ts";
import { destinationsOf, type Way, wayId, waysOf, withWrittenConnections } from "../draft/ways.ts";
import type { EditorActions } from "../editor-actions.ts";

interface StepConnectionsProps {
  readonly definition: Definition;
  readonly step: Step;
  readonly onReach: (key: string) => void;
  /** Null where the steps are only to be read. */
  readonly actions: EditorActions | null;
}

export function StepConnections({ definition, step, onReach, actions }: StepConnectionsProps) {
  const { editor: texts } = useTexts();
  const written = withWrittenConnections(definition).steps.find(({ key }) => key === step.key) ?? step;
  return (
    <section className="step-connections" aria-label={texts.stepConnections}>
      <h3>{texts.stepConnections}</h3>
      <ul>
        {waysOf(written).map((way) => (
          <li key={wayId(way)}>
            <bdi className="way">{nameOfWay(texts, way)}</bdi>
            <span className="ends">
              {destinationsOf(written, way).map((to) => (
                <span key={to} className="end">
                  <button type="button" className="link-button" onClick={() => onReach(to)}>
                    <bdi>{to}</bdi>
                  </button>
                  {actions === null ? null : (
                    <IconButton
                      icon="cross"
                      label={`${texts.disconnect}: ${to}`}
                      onClick={() => actions.disconnect([{ from: step.key, to, way }])}
                    />
                  )}
                </span>
              ))}
              {destinationsOf(written, way).length === 0 ? <span className="soft">{texts.leadsNowhere}</span> : null}
            </span>
          </li>
        ))}
      </ul>
      {actions === null ? null : (
        <Button icon="connect" onClick={() => actions.ask({ kind: "connect", from: step.key, way: null })}>
          {texts.connect}
        </Button>
      )}
    </section>
  );
}

export function nameOfWay(texts: Messages["editor"], way: Way): string {
  if (way.kind === "condition") return texts.ways.condition(way.name);
  if (way.kind === "catch") return texts.ways.catch(way.route + 1);
  return texts.ways[way.kind];
}
