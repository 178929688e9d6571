/** `stepwell/client`: the functions of `stepwell.*` over HTTP, for browsers and servers. */
export type { ErrorCode, FieldError, ResourceUser } from "../errors.ts";
export { isStepwellError, StepwellError } from "../errors.ts";
export type {
  CallOptions,
  Client,
  ClientFilesApi,
  ClientOptions,
  SendOptions,
  SentContent,
  SentFile,
  UploadProgress,
} from "./client.ts";
export { createClient } from "./create-client.ts";
