/** Chooses what a new step does: one of the types, or an action of a service. */
import { useState } from "react";
import type { Definition } from "../../../../../src/workflows/version.ts";
import { Dialog } from "../../elements/dialogs/dialog.tsx";
import { useServices } from "../../steps/server-data.ts";
import { useTexts } from "../../texts/language.ts";
import { STEP_TYPES, type StepKind } from "../draft/new-step.ts";
import { stepOf, type Target } from "../draft/operations.ts";
import { isSameWay, NEXT, type Way, wayBehind, waysOf, withWrittenConnections } from "../draft/ways.ts";
import { type Choice, ChoiceList } from "./choice-list.tsx";
import { isAskedFor } from "./matches.ts";
import { WayField } from "./way-field.tsx";

interface AddStepDialogProps {
  readonly appId: string;
  readonly definition: Definition;
  readonly target: Target;
  readonly onAdd: (kind: StepKind, target: Target) => void;
  readonly onClose: () => void;
}

export function AddStepDialog({ appId, definition, target, onAdd, onClose }: AddStepDialogProps) {
  const { editor: texts, canvas, addStep: search, steps } = useTexts();
  const { exits, first } = exitsOf(definition, target);
  const [exit, setExit] = useState(first);
  const services = useServices(appId);
  const kinds = new Map<string, { readonly kind: StepKind; readonly choice: Choice }>();
  for (const type of STEP_TYPES) {
    if (type === "service") continue; // its actions stand below
    const choice = {
      id: type,
      icon: type,
      label: canvas.types[type],
      detail: texts.types[type],
      group: texts.addTypes,
      words: search.words[type],
    };
    kinds.set(type, { kind: { type }, choice });
  }
  for (const service of services) {
    const group = `${texts.addServices}: ${service.title ?? service.name}`;
    for (const action of service.actions) {
      const id = `${service.name}.${action.name}`;
      const detail = action.description ?? id;
      kinds.set(id, {
        kind: { type: "service", service: service.name, action: action.name },
        // In each language, its names in definitions find it, too.
        choice: { id, icon: "service", label: action.title ?? action.name, detail, group, words: id },
      });
    }
  }
  return (
    <Dialog title={texts.addTitle} onClose={onClose}>
      <ChoiceList
        label={texts.addSearch}
        choices={[...kinds.values()].map(({ choice }) => choice)}
        hintFor={(text) =>
          isAskedFor(search.errorWords, text)
            ? search.error(steps.errors)
            : isAskedFor(search.loopWords, text)
              ? search.loop(steps.when, steps.forEach)
              : null
        }
        onChoose={(id) => {
          const chosen = kinds.get(id);
          if (chosen === undefined) return;
          onAdd(chosen.kind, target.kind === "behind" && exit !== undefined ? { ...target, way: exit } : target);
        }}
      >
        {exits.length < 2 ? null : <WayField ways={exits} chosen={exit ?? NEXT} onChoose={setExit} />}
      </ChoiceList>
    </Dialog>
  );
}

interface Exits {
  readonly exits: readonly Way[];
  /** The one that is chosen at first. */
  readonly first: Way | undefined;
}

const ONE_EXIT: Exits = { exits: [], first: undefined };

/** The exits of a branch, of which a step is added behind one. Other steps have one exit. */
function exitsOf(definition: Definition, target: Target): Exits {
  if (target.kind !== "behind") return ONE_EXIT;
  const step = stepOf(withWrittenConnections(definition), target.key);
  if (step?.type !== "branch") return ONE_EXIT;
  const exits = waysOf(step).filter(({ kind }) => kind !== "catch");
  const wanted = target.way ?? wayBehind(step);
  return { exits, first: exits.find((way) => isSameWay(way, wanted)) };
}
