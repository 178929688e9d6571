/** The built-in adapters. Each is loaded when first needed, and never if the host passes its own. */

import type { Dial } from "../ports/dial.ts";
import type { Extractor } from "../ports/extractor.ts";
import type { Models } from "../ports/models.ts";
import type { Sandbox } from "../ports/sandbox.ts";
import { lazily } from "./lazy.ts";
import type { Options } from "./options.ts";

export interface LoadedAdapters {
  sandbox(): Promise<Sandbox>;
  extractor(): Promise<Extractor>;
  readonly dial: Dial;
  readonly models: {
    /** Names of the providers that the host passed. */
    readonly providers: readonly string[];
    /** Rejects if the package `ai` is not installed. */
    check(): Promise<void>;
    readonly answer: Models["answer"];
  };
  /** Closes the loaded adapters and those that the host passed. */
  close(): Promise<void>;
}

export function createLoadedAdapters({ models = {}, ...given }: Options): LoadedAdapters {
  const sandbox = lazily(async () => {
    if (given.sandbox !== undefined) return given.sandbox;
    const { createQuickjsSandbox } = await import("../../adapters/sandbox/quickjs.ts");
    return createQuickjsSandbox();
  });
  const extractor = lazily(async () => {
    if (given.extractor !== undefined) return given.extractor;
    const { createExtractor } = await import("../../adapters/extract/extractor.ts");
    return createExtractor();
  });
  const dial = lazily(async () => (await import("../../adapters/net/node-dial.ts")).createDial());
  const sdk = lazily(async () => (await import("../../adapters/models/ai-sdk.ts")).createAiSdkModels(models));

  return {
    sandbox: sandbox.get,
    extractor: extractor.get,
    dial: async (exchange) => (await dial.get())(exchange),
    models: {
      providers: Object.keys(models),
      check: async () => void (await sdk.get()),
      answer: async (call) => (await sdk.get()).answer(call),
    },
    async close() {
      await sandbox.made()?.then((made) => made.close());
      await given.browser?.close();
      await extractor.made()?.then((made) => made.close());
      await given.mcp?.close();
      for (const service of given.services ?? []) await service.close?.();
    },
  };
}
