import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

export default defineConfig({
  plugins: [react(), tailwindcss()],
  // Relative addresses, so that the built page also opens from a plain folder.
  base: "./",
  resolve: { alias: { "@": fileURLToPath(new URL("./src", import.meta.url)) } },
  build: {
    target: "safari16",
    // The content security policy allows no inline scripts, and the preload helper is one where it is not native.
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1200,
  },
  server: { port: 5173, strictPort: true },
  test: {
    environment: "jsdom",
    setupFiles: ["src/test/setup.ts"],
    restoreMocks: true,
    testTimeout: 60_000,
  },
});
