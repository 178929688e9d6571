/** A connection of the app, or a new one. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "../../elements/controls/button.tsx";
import { part } from "../../loading/part.tsx";
import { client } from "../../server/client.ts";
import { useScopeRefusal } from "../../session/session-context.ts";
import { useTexts } from "../../texts/language.ts";
import { type ControlProps, setText, textOf } from "../control-props.ts";
import { useForm } from "../form-context.ts";
import { Outside } from "../outside.tsx";

/** It has a form of its own. */
const NewConnection = part(() => import("./new-connection.tsx"));
const MAX_CONNECTIONS = 100;

export function ConnectionControl({
  shape,
  entry,
  change,
  attributes,
  placeholder,
  isRequired,
}: ControlProps<"connection">) {
  const { forms } = useTexts();
  const { appId, Form } = useForm();
  const queries = useQueryClient();
  const refusal = useScopeRefusal("connections:write");
  const [isNew, setNew] = useState(false);
  const { allowedTypes } = shape;
  const key = [appId, "connections", "offered"];
  const found = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => client.with({ signal }).connections.list(appId, { take: MAX_CONNECTIONS }),
  });
  const offered = (found.data?.items ?? []).filter(
    ({ service }) => allowedTypes === null || allowedTypes.includes(service),
  );
  const value = textOf(entry);
  const isUnknown = value !== "" && offered.every(({ id }) => id !== value);
  return (
    <div className="connection-control">
      <select
        {...attributes}
        required={isRequired}
        value={value}
        onChange={({ target }) => setText(change, target.value)}
      >
        <option value="">{placeholder ?? forms.choose}</option>
        {isUnknown ? <option value={value}>{found.isPending ? value : forms.unknownConnection(value)}</option> : null}
        {offered.map(({ id, name, service }) => (
          <option key={id} value={id}>
            {allowedTypes?.length === 1 ? name : `${name} (${service})`}
          </option>
        ))}
      </select>
      <Button icon="plus" refusal={refusal} onClick={() => setNew(true)}>
        {forms.newConnection}
      </Button>
      {found.data !== undefined && offered.length === 0 ? <p className="notes">{forms.noConnections}</p> : null}
      {isNew ? (
        <Outside>
          <NewConnection
            Form={Form}
            appId={appId}
            allowedTypes={allowedTypes}
            onClose={() => setNew(false)}
            onCreated={(id) => {
              setNew(false);
              void queries.invalidateQueries({ queryKey: [appId, "connections"] });
              setText(change, id);
            }}
          />
        </Outside>
      ) : null}
    </div>
  );
}
