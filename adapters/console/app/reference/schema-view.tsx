/** A JSON Schema as a list of its properties. Referenced schemas open on demand, so that schemas may refer to themselves. */
import { useState } from "react";
import { useTexts } from "../texts/language.ts";
import { nameOf, type OpenApiDocument, resolved, type Schema } from "./document.ts";
import { Prose } from "./prose.tsx";

interface SchemaViewProps {
  readonly document: OpenApiDocument;
  readonly schema: Schema;
  /** @default 0 */
  readonly depth?: number;
}

export function SchemaView({ document, schema, depth = 0 }: SchemaViewProps) {
  const { reference: texts } = useTexts();
  const own = resolved(document, schema);
  const choices = own.oneOf ?? own.anyOf;
  const properties = Object.entries(own.properties ?? {});
  return (
    <div className="schema">
      {depth === 0 && own.description !== undefined ? <Prose text={own.description} /> : null}
      {choices === undefined ? null : (
        <>
          <p className="soft">{texts.oneOf}</p>
          <ul>
            {choices.map((choice) => (
              <li key={JSON.stringify(choice).slice(0, 200)}>
                <Part document={document} schema={choice} depth={depth + 1} />
              </li>
            ))}
          </ul>
        </>
      )}
      {properties.length === 0 ? null : (
        <dl>
          {properties.map(([name, property]) => (
            <div key={name} className="property">
              <dt>
                <code>{name}</code> <span className="soft">{typeOf(property, texts.listOf)}</span>{" "}
                {own.required?.includes(name) === true ? <strong>{texts.required}</strong> : null}
              </dt>
              <dd>
                {property.description === undefined ? null : <Prose text={property.description} />}
                <Inner document={document} schema={property} depth={depth + 1} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {choices === undefined && properties.length === 0 && depth === 0 ? (
        <p className="soft">{typeOf(own, texts.listOf)}</p>
      ) : null}
    </div>
  );
}

/** A choice: its type, and what is in it on demand. */
function Part({ document, schema, depth }: Required<SchemaViewProps>) {
  const { reference: texts } = useTexts();
  return (
    <>
      <span className="soft">{typeOf(schema, texts.listOf)}</span>
      <Inner document={document} schema={schema} depth={depth} />
    </>
  );
}

/** What a property contains, if it contains properties. */
function Inner({ document, schema, depth }: Required<SchemaViewProps>) {
  const [isOpen, setOpen] = useState(false);
  const item = itemOf(schema);
  if (!hasParts(resolved(document, item))) return null;
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{item.$ref === undefined ? "{ … }" : nameOf(item.$ref)}</summary>
      {isOpen ? <SchemaView document={document} schema={item} depth={depth} /> : null}
    </details>
  );
}

/** Whether a schema says more than its type in a few words. */
function hasParts({ properties, oneOf, anyOf }: Schema): boolean {
  const choices = oneOf ?? anyOf ?? [];
  return properties !== undefined || choices.some((choice) => choice.$ref !== undefined || hasParts(itemOf(choice)));
}

function itemOf(schema: Schema): Schema {
  if (schema.items !== undefined) return itemOf(schema.items);
  if (typeof schema.additionalProperties === "object") return itemOf(schema.additionalProperties);
  return schema;
}

/** The type of a schema in a few words. */
export function typeOf(schema: Schema, listOf: string): string {
  if (schema.$ref !== undefined) return nameOf(schema.$ref);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.items !== undefined) return `${listOf} ${typeOf(schema.items, listOf)}`;
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return choices.map((choice) => typeOf(choice, listOf)).join(" | ");
  if (typeof schema.type === "string") return schema.type;
  return schema.type?.join(" | ") ?? "";
}
