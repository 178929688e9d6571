/** The messages between `stepwell dev` and the process of its server. */
import { isRecord } from "../../../src/json.ts";

/** What the server needs to start. */
export interface ServerSettings {
  /** Folder with the config and the data. */
  readonly folder: string;
  /** 0 for any free one. */
  readonly port: number;
  readonly host: string;
  readonly secret: string;
  readonly adminKey: string;
  /** App and key of an earlier start. They are created anew if they no longer exist. */
  readonly appId: string | null;
  readonly key: string | null;
}

export type FromServer =
  | { readonly kind: "loaded" }
  | {
      readonly kind: "listening";
      readonly url: string;
      readonly port: number;
      readonly app_id: string;
      readonly key: string;
      /** Of the config, or the given one. */
      readonly admin_key: string;
      /** Name of the config file; null for none. */
      readonly config: string | null;
      /** Where the console opens: signed in, if only this machine reaches the server; null for a config without it. */
      readonly console: string | null;
    }
  | { readonly kind: "console"; readonly url: string | null }
  | { readonly kind: "failed"; readonly message: string; readonly hint: string | null };

export type ToServer =
  | { readonly kind: "start"; readonly settings: ServerSettings }
  | { readonly kind: "stop" }
  /** Asks for another address of the console. */
  | { readonly kind: "console" };

/** Only the other end of the channel sends messages. */
export function isFromServer(message: unknown): message is FromServer {
  return isRecord(message) && ["loaded", "listening", "console", "failed"].includes(String(message["kind"]));
}

export function isToServer(message: unknown): message is ToServer {
  return isRecord(message) && ["start", "stop", "console"].includes(String(message["kind"]));
}
