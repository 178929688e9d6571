/** An action of a service, its connection, and its arguments as a form. */
import type { ServiceInfo } from "../../../../../src/services/service-info.ts";
import type { ServiceStep } from "../../../../../src/workflows/step.ts";
import { useSurroundings } from "../../expressions/surroundings-context.ts";
import { useTexts } from "../../texts/language.ts";
import { ArgumentFields } from "../arguments/argument-fields.tsx";
import { ConnectionField } from "../controls/connection-field.tsx";
import { ChoiceField } from "../controls/plain-fields.tsx";
import type { KindProps } from "../kind-props.ts";
import { useMe } from "../server-data.ts";
import { withField } from "../step-change.ts";

export const serviceOptions = (services: readonly ServiceInfo[]) =>
  services.map(({ name, title }) => ({ value: name, label: title === null ? name : `${title} (${name})` }));

export const actionOptions = (service: ServiceInfo | undefined) =>
  (service?.actions ?? []).map(({ name, title }) => ({
    value: name,
    label: title === null ? name : `${title} (${name})`,
  }));

export function ServiceFields({ step, onChange, problemAt }: KindProps<ServiceStep>) {
  const { steps: texts } = useTexts();
  const { services, app } = useSurroundings();
  const hasWebSearch = useMe(app.id)?.configured.web_search !== false;
  const { service: call } = step;
  const service = services.find(({ name }) => name === call.service);
  const action = service?.actions.find(({ name }) => name === call.action);
  const change = (next: ServiceStep["service"]) => onChange({ ...step, service: next });
  return (
    <>
      {call.service !== "web_search" || hasWebSearch ? null : <p className="notice">{texts.noWebSearch}</p>}
      <ChoiceField
        label={texts.service}
        value={call.service}
        none={call.service === "" ? texts.none : undefined}
        error={problemAt("/service/service")}
        options={serviceOptions(services)}
        onChange={(value) => {
          const { connection_id: _, ...kept } = call;
          const next = services.find(({ name }) => name === value);
          change({ ...kept, service: value ?? "", action: next?.actions[0]?.name ?? "" });
        }}
      />
      <ChoiceField
        label={texts.action}
        hint={action?.description ?? undefined}
        value={call.action}
        none={call.action === "" ? texts.none : undefined}
        error={problemAt("/service/action")}
        options={actionOptions(service)}
        onChange={(value) => change({ ...call, action: value ?? "" })}
      />
      {service?.connection === null && call.connection_id === undefined ? null : (
        <ConnectionField
          service={call.service}
          isNeeded={service?.needs_connection ?? false}
          value={call.connection_id}
          error={problemAt("/service/connection_id")}
          onChange={(value) => change(withField(call, "connection_id", value))}
        />
      )}
      <ArgumentFields
        key={`${call.service}.${call.action}`}
        label={texts.arguments}
        schema={action?.input ?? null}
        value={call.input}
        at="/service/input"
        problemAt={problemAt}
        hasAuto={true}
        onChange={(input) => change({ ...call, input })}
      />
    </>
  );
}
