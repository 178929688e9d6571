/** What two people changed in the same draft, beside what both began with. Nothing is stored before it is chosen. */
import { useMemo, useState } from "react";
import { type Definition, definitionOf } from "../../../../../src/workflows/version.ts";
import { Button } from "../../elements/controls/button.tsx";
import { Dialog } from "../../elements/dialogs/dialog.tsx";
import type { Side } from "../../merging/three-way.ts";
import { useTexts } from "../../texts/language.ts";
import type { Messages } from "../../texts/messages.ts";
import { Lines } from "../../versions/lines.tsx";
import { readableJson } from "../../versions/readable-json.ts";
import { lineDifference } from "../../versions/text-lines.ts";
import { type Asked, type Choices, clashOf } from "../draft/merge-clash.ts";
import type { Saving } from "../saving/autosave.ts";
import "./clash-dialog.css";

interface ClashDialogProps {
  readonly clash: Saving & { readonly kind: "clash" };
  readonly mine: Definition;
  readonly onResolve: (definition: Definition) => void;
  readonly onClose: () => void;
}

export function ClashDialog({ clash, mine, onResolve, onClose }: ClashDialogProps) {
  const { editor: texts } = useTexts();
  const { found, first, isApart, asked, merged } = useMemo(
    () => clashOf({ base: clash.base, mine, theirs: definitionOf(clash.theirs) }),
    [clash, mine],
  );
  const [chosen, setChosen] = useState<Choices>(new Map());
  const choices: Choices = new Map([...first, ...chosen]);
  const all = (side: Side) => setChosen(new Map(found.map(({ name }) => [name, side])));
  return (
    <Dialog
      title={texts.clashTitle}
      size="wide"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{texts.clashLater}</Button>
          <Button
            kind="primary"
            tabIndex={0}
            data-focus-first={isApart ? true : undefined}
            onClick={() => onResolve(merged(choices))}
          >
            {isApart && chosen.size === 0 ? texts.clashKeepBoth : texts.clashSave}
          </Button>
        </>
      }
    >
      <p>{isApart ? texts.clashApart : texts.clashText}</p>
      <div className="clash-all">
        <Button onClick={() => all("mine")}>{texts.clashAllMine}</Button>
        <Button onClick={() => all("theirs")}>{texts.clashAllTheirs}</Button>
      </div>
      {asked(choices).map((one) => (
        <ClashPart
          key={one.name}
          asked={one}
          side={choices.get(one.name) ?? "mine"}
          onChoose={(side) => setChosen(new Map(chosen).set(one.name, side))}
        />
      ))}
    </Dialog>
  );
}

interface ClashPartProps {
  readonly asked: Asked;
  readonly side: Side;
  readonly onChoose: (side: Side) => void;
}

function ClashPart({ asked, side, onChoose }: ClashPartProps) {
  const { editor: texts } = useTexts();
  const { name, base, changedBy, naming } = asked;
  const taken = naming?.taken ?? [];
  return (
    <fieldset className="clash-part">
      <legend>
        <bdi>{titleOf(asked, texts)}</bdi> <span className="soft">{texts.clashChangedBy[changedBy]}</span>
      </legend>
      {naming === null || taken.length === 0 ? null : (
        <p>
          {texts.renameTaken} {texts.clashKeyKept(naming.next)}
        </p>
      )}
      <div className="clash-sides">
        <div>
          <p className="soft">{texts.clashBase}</p>
          <Shown value={base} />
        </div>
        {(["mine", "theirs"] as const).map((one) => {
          const title = one === "mine" ? texts.clashMine : texts.clashTheirs;
          const value = <Against base={base} value={asked[one]} />;
          if (taken.length > 0)
            return (
              <div key={one}>
                <p className="soft">{title}</p>
                {value}
              </div>
            );
          return (
            <label key={one} className={one === side ? "chosen" : undefined}>
              <span>
                <input type="radio" name={`clash ${name}`} checked={one === side} onChange={() => onChoose(one)} />{" "}
                {title}
              </span>
              {value}
            </label>
          );
        })}
      </div>
    </fieldset>
  );
}

function titleOf({ name, step, part, naming }: Asked, texts: Messages["editor"]): string {
  if (step !== null) return naming === null ? texts.clashStep(step) : texts.clashKey(step);
  return part === null ? name : texts.clashPart[part];
}

/** With what differs from what both began with. */
function Against({ base, value }: { readonly base: unknown; readonly value: unknown }) {
  if (isNothing(base) || isNothing(value)) return <Shown value={value} />;
  const lines = lineDifference(readableJson(base), readableJson(value));
  return lines.some(({ kind }) => kind !== "equal") ? <Lines lines={lines} /> : <Shown value={value} />;
}

const isNothing = (value: unknown) => value === undefined || value === null;

function Shown({ value }: { readonly value: unknown }) {
  const { editor: texts } = useTexts();
  if (isNothing(value)) return <em>{texts.clashNothing}</em>;
  return <pre dir="ltr">{readableJson(value)}</pre>;
}
