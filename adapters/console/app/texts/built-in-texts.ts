/**
 * What a language other than English says of the server's own services and trigger types. English has no such texts: it
 * shows those of the server.
 */

export interface Described {
  readonly title?: string | undefined;
  readonly description?: string | undefined;
}

/**
 * Texts of a JSON Schema, by path: names of properties with dots between them, `[]` for the items of a list, and in
 * alternatives the constant that each of them has, such as `bearer.token`. What all alternatives share may stand once,
 * under the path without the constant.
 */
export type SchemaTexts = Readonly<Record<string, Described>>;

export interface ServiceTexts {
  readonly title: string;
  /** Of the credentials. */
  readonly connection?: SchemaTexts | undefined;
  readonly actions: Readonly<Record<string, ActionTexts>>;
}

export interface ActionTexts extends Described {
  /** Of the arguments. */
  readonly input?: SchemaTexts | undefined;
}

export interface TriggerTypeTexts {
  readonly title: string;
  /** Of the credentials. */
  readonly connection?: SchemaTexts | undefined;
  /** Of its own settings. */
  readonly config?: SchemaTexts | undefined;
}

export interface BuiltInTexts {
  readonly services: Readonly<Record<string, ServiceTexts>>;
  readonly triggerTypes: Readonly<Record<string, TriggerTypeTexts>>;
  /** Of the settings that triggers of every type have, also those of the host. */
  readonly triggers: SchemaTexts;
}
