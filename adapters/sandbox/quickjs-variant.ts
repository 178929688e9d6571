/** The WebAssembly build of QuickJS, which loads a file of its package. */
export { default as quickjsVariant } from "@jitl/quickjs-wasmfile-release-sync";
