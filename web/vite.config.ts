// How the page is built: one HTML file with relative addresses, so that it works from any folder of any server.
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vitest/config'
import { LICENCES, sharedPlayer } from './vite.share.ts'

const program = 'http://127.0.0.1:7380'

export default defineConfig({
  base: './',
  plugins: [svelte(), sharedPlayer()],
  build: {
    target: 'es2022',
    chunkSizeWarningLimit: 1500,
    sourcemap: false,
    // The licences of the bundled packages, which the overview links.
    license: { fileName: LICENCES },
  },
  server: {
    host: '127.0.0.1',
    port: 5173,
    // The server of `burgess serve`; sockets too. The origin is passed on as if the page came from there.
    proxy: {
      '/api': { target: program, ws: true, changeOrigin: true, rewriteWsOrigin: true, headers: { origin: program } },
    },
  },
  test: { include: ['src/**/*.test.ts'], environment: 'node' },
})
