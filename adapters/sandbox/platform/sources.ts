/** The sources of the platform's globals, by the name of their factory, and which of them defines a global. */
import { cryptoGlobals } from "./crypto.ts";
import { exceptionGlobals } from "./dom-exception.ts";
import { cloneGlobals } from "./structured-clone.ts";
import { textGlobals } from "./text.ts";
import { timerGlobals } from "./timers.ts";
import { urlGlobals } from "./url.ts";

const FACTORIES = {
  url: urlGlobals,
  text: textGlobals,
  crypto: cryptoGlobals,
  clone: cloneGlobals,
  timers: timerGlobals,
  exception: exceptionGlobals,
};

/** Factories by the names of the globals that they create. */
export const PLATFORM_GLOBALS: Readonly<Record<string, keyof typeof FACTORIES>> = {
  URL: "url",
  URLSearchParams: "url",
  TextEncoder: "text",
  TextDecoder: "text",
  atob: "text",
  btoa: "text",
  crypto: "crypto",
  structuredClone: "clone",
  setTimeout: "timers",
  clearTimeout: "timers",
  DOMException: "exception",
};

/** The text of a factory, as an expression. Null if there is none of this name. */
export function sourceOf(name: string): string | null {
  const factory = Object.entries(FACTORIES).find(([own]) => own === name)?.[1];
  return factory === undefined ? null : `"use strict";(${factory.toString()})`;
}
