/** esbuild's loader `binary`. */
declare module "@jitl/quickjs-wasmfile-release-sync/wasm" {
  const bytes: Uint8Array<ArrayBuffer>;
  export default bytes;
}
