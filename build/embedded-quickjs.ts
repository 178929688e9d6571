/** Replaces `adapters/sandbox/quickjs-variant.ts` in a program that consists of text: contains the file. */
import variant from "@jitl/quickjs-wasmfile-release-sync";
import bytes from "@jitl/quickjs-wasmfile-release-sync/wasm";
import { newVariant } from "quickjs-emscripten-core";

export const quickjsVariant = newVariant(variant, { wasmBinary: bytes.buffer });
