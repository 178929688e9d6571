/** Chooses what a new step does: one of the types, or an action of a service. */
import { useQuery } from "@tanstack/react-query";
import { Dialog } from "../../elements/dialogs/dialog.tsx";
import { client } from "../../server/client.ts";
import { useTexts } from "../../texts/language.ts";
import { STEP_TYPES, type StepKind } from "../draft/new-step.ts";
import { type Choice, ChoiceList } from "./choice-list.tsx";

interface AddStepDialogProps {
  readonly appId: string;
  readonly onAdd: (kind: StepKind) => void;
  readonly onClose: () => void;
}

export function AddStepDialog({ appId, onAdd, onClose }: AddStepDialogProps) {
  const { editor: texts, canvas } = useTexts();
  const services = useQuery({
    queryKey: [appId, "services"],
    queryFn: () => client.services.list(),
    staleTime: 60_000,
  });
  const kinds = new Map<string, { readonly kind: StepKind; readonly choice: Choice }>();
  for (const type of STEP_TYPES) {
    if (type === "service") continue; // its actions stand below
    const choice = {
      id: type,
      icon: type,
      label: canvas.types[type],
      detail: texts.types[type],
      group: texts.addTypes,
    };
    kinds.set(type, { kind: { type }, choice });
  }
  for (const service of services.data ?? []) {
    const group = `${texts.addServices}: ${service.title ?? service.name}`;
    for (const action of service.actions) {
      const id = `${service.name}.${action.name}`;
      const detail = action.description ?? id;
      kinds.set(id, {
        kind: { type: "service", service: service.name, action: action.name },
        choice: { id, icon: "service", label: action.title ?? action.name, detail, group },
      });
    }
  }
  return (
    <Dialog title={texts.addTitle} onClose={onClose}>
      <ChoiceList
        label={texts.addSearch}
        choices={[...kinds.values()].map(({ choice }) => choice)}
        onChoose={(id) => {
          const chosen = kinds.get(id);
          if (chosen !== undefined) onAdd(chosen.kind);
        }}
      />
    </Dialog>
  );
}
