/**
 * What a route that handles the request itself reads and responds with. It has no schemas that describe this to openapi.json, so
 * its row says it.
 */
import type * as v from "valibot";

/**
 * A body by media type: the schema of its JSON, of the fields of a form, or of a text with an example; null for bytes and
 * other texts.
 */
export type DescribedBody = Readonly<Record<string, v.GenericSchema | null>>;

export interface DescribedAnswer {
  /** Meaning of the status in this route. @default the standard phrase of the status */
  readonly meaning?: string;
  /** Names of the headers of the response. */
  readonly headers?: readonly string[];
  /** @default no body */
  readonly body?: DescribedBody;
}

export interface Described {
  readonly request: {
    readonly query?: v.GenericSchema;
    /** Names of the headers that change the response. */
    readonly headers?: readonly string[];
    /** @default no body */
    readonly body?: DescribedBody;
  };
  /** By status, without problems, which all routes have in common. */
  readonly answers: Readonly<Record<number, DescribedAnswer>>;
}
