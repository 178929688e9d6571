import { defineConfig } from "tsup";

export default defineConfig({
  entry: {
    index: "src/index.ts",
    "http/node": "adapters/http/node.ts",
    "storage/fs": "adapters/storage/fs.ts",
    "storage/redis": "adapters/storage/redis.ts",
    "storage/s3": "adapters/storage/s3.ts",
  },
  format: "esm",
  target: "es2022",
  dts: true,
  splitting: true,
  clean: true,
  sourcemap: true,
});
