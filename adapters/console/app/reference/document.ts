/** The OpenAPI document of the server, as far as the reference shows it. Pure. */

/** A JSON Schema. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: boolean | Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly contentMediaType?: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly example?: unknown;
}

export interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
}

type Content = Readonly<Record<string, { readonly schema?: Schema }>>;

export interface ResponseInfo {
  readonly $ref?: string;
  readonly description?: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Content;
}

interface OperationInfo {
  readonly operationId: string;
  readonly tags?: readonly string[];
  readonly summary?: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content?: Content; readonly required?: boolean };
  readonly responses?: Readonly<Record<string, ResponseInfo>>;
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
}

type PathItem = Readonly<Record<string, OperationInfo>> & { readonly parameters?: readonly Parameter[] };

export interface OpenApiDocument {
  readonly tags?: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: {
    readonly schemas?: Readonly<Record<string, Schema>>;
    readonly parameters?: Readonly<Record<string, Parameter>>;
    readonly responses?: Readonly<Record<string, ResponseInfo>>;
  };
}

/** An operation with its address. */
export interface Operation extends OperationInfo {
  readonly method: string;
  readonly path: string;
  /** The field of a form in which it takes a file; null for none. */
  readonly fileField: string | null;
}

const METHODS = ["get", "post", "put", "patch", "delete"] as const;

/** What is worked out once for each document: every operation is a screen of its own. */
export function perDocument<Of extends object>(workOut: (document: OpenApiDocument) => Of) {
  const known = new WeakMap<OpenApiDocument, Of>();
  return (document: OpenApiDocument): Of => {
    const found = known.get(document) ?? workOut(document);
    known.set(document, found);
    return found;
  };
}

export const operationsOf = perDocument((document): readonly Operation[] => {
  const { paths, components } = document;
  return Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      if (operation === undefined) return [];
      const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map((one) =>
        one.$ref === undefined ? one : (components.parameters?.[nameOf(one.$ref)] ?? one),
      );
      const fileField = fileFieldIn(document, operation);
      return [{ ...operation, method: method.toUpperCase(), path, parameters, fileField }];
    }),
  );
});

function fileFieldIn(document: OpenApiDocument, { requestBody }: OperationInfo): string | null {
  const { properties = {} } = resolved(document, requestBody?.content?.["multipart/form-data"]?.schema ?? {});
  return Object.keys(properties).find((name) => properties[name]?.contentMediaType !== undefined) ?? null;
}

/** The schema that a reference names. */
export const resolved = ({ components }: OpenApiDocument, schema: Schema): Schema =>
  schema.$ref === undefined ? schema : (components.schemas?.[nameOf(schema.$ref)] ?? schema);

/** The last part of a reference: `#/components/schemas/Run` is `Run`. */
export const nameOf = (reference: string): string => reference.split("/").at(-1) ?? reference;
