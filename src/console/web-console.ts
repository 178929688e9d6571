/** The console of a host, as `webConsole()` of `stepwell/console` creates it. Types only. */
import type { ActingUserInput, ApiKeyScope } from "../calls/caller.ts";

/** A file of the built page. */
export interface ConsoleFile {
  /** Media type. */
  readonly type: string;
  /** SHA-256 of the content, hexadecimal. */
  readonly digest: string;
  /** Bytes of the content. */
  readonly size: number;
  /** Loads the content, compressed with gzip. */
  gzip(): Promise<Uint8Array<ArrayBuffer>>;
}

/** The built page. */
export interface ConsoleBuild {
  /** `index.html`, with {@link MOUNT_PLACE} wherever the mount path belongs. */
  readonly page: string;
  /** The other files by their path, such as `assets/index-1a2b3c4d.js`. Their names change with their content. */
  readonly files: ReadonlyMap<string, ConsoleFile>;
}

/** Stands for the mount path in `index.html`. */
export const MOUNT_PLACE = "%STEPWELL_MOUNT%";

/**
 * Who sends a request: somebody who may use one app, or an admin, who manages apps and keys and can open every app. Fields
 * of one cannot be mixed with those of the other.
 */
export type HostSession =
  | {
      /** The app. */
      readonly app_id: string;
      /** A person who may use one app is no admin. @default false */
      readonly admin?: false;
      /** What the person may do in the app; null for everything. @default null */
      readonly scopes?: readonly ApiKeyScope[] | null;
      /** Name that the console shows. @default none */
      readonly name?: string | null;
      /**
       * The user whom versions, runs and record histories name: `{ id, name? }`. The id, or else `name`, tells the people
       * of one browser apart: without both, the next person sees what one has typed and not sent.
       * @default none
       */
      readonly user?: ActingUserInput;
    }
  | {
      /** Manages apps and keys, and may open every app. */
      readonly admin: true;
      /** Name that the console shows. @default none */
      readonly name?: string | null;
    };

/** A file with the definition of a workflow. */
export interface WorkflowFile {
  /** App of the workflow. */
  readonly app_id: string;
  /** Name of the workflow. */
  readonly name: string;
  /** Path of the file, for people. */
  readonly path: string;
}

/** Implemented by `webConsole()` of `stepwell/console`. */
export interface WebConsole {
  /** Loads the list of the files. */
  load(): Promise<ConsoleBuild>;
  /** Says who sends a request; null for nobody. */
  readonly session?: ((request: Request) => HostSession | null | Promise<HostSession | null>) | undefined;
  /** URL where people sign in to the host. */
  readonly signIn?: string | undefined;
  /** The files that a program deploys again, such as `stepwell dev` at each start, over what was deployed in the console. */
  readonly workflowFiles?: (() => Promise<readonly WorkflowFile[]>) | undefined;
  /** Origins whose pages may show the console in a frame. */
  readonly frameAncestors?: readonly string[] | undefined;
}
