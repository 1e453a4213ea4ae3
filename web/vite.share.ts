// Builds `share.html` beside the page: the player of a shared recording with script and style in one file. The server puts
// a recording into a copy of it.
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'vite'

const here = dirname(fileURLToPath(import.meta.url))

/** Forbids the page to load anything: all that it needs is in its file. */
const POLICY =
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; " +
  "base-uri 'none'; form-action 'none'"

/** The file with the licences of the packages in the page, which are also those in the player. */
export const LICENCES = 'licences.txt'

/** Returns the page. The server replaces the title and the comment `recording`. */
function pageOf(script: string, style: string, licences: string, icon: string): string {
  // A script element ends at the first `</script`, also inside a string.
  const safe = script.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<title>Burgess</title>
${icon}
<style>${style}</style>
</head>
<body>
<div id="app"></div>
<noscript>This page draws a world in the browser and needs JavaScript.</noscript>
<!--recording-->
<script>${safe}</script>
<!--
${licences.replaceAll(/-(?=-)/g, '- ').trim()}
-->
</body>
</html>
`
}

/** Makes one script and one style of the player, and writes the page with them and the licences instead of all files. */
function intoOneFile(licences: string): Plugin {
  return {
    name: 'burgess-one-file',
    enforce: 'post',
    async generateBundle(_, bundle) {
      let [script, style] = ['', '']
      for (const [name, file] of Object.entries(bundle)) {
        if (file.type === 'chunk') script += file.code
        else if (name.endsWith('.css')) style += String(file.source)
        delete bundle[name]
      }
      const index = await readFile(join(here, 'index.html'), 'utf8')
      const icon = index.match(/<link\s+rel="icon"[^]*?\/>/)?.[0] ?? ''
      this.emitFile({ type: 'asset', fileName: 'share.html', source: pageOf(script, style, licences, icon) })
    },
  }
}

/** Builds the player whenever the page is built. */
export function sharedPlayer(): Plugin {
  let outDir = 'dist'
  return {
    name: 'burgess-shared-player',
    apply: 'build',
    configResolved(config) {
      outDir = config.build.outDir
    },
    async closeBundle() {
      const licences = await readFile(resolve(here, outDir, LICENCES), 'utf8')
      await build({
        configFile: false,
        root: here,
        logLevel: 'warn',
        publicDir: false,
        plugins: [svelte(), intoOneFile(licences)],
        build: {
          target: 'es2022',
          outDir,
          emptyOutDir: false,
          cssCodeSplit: false,
          chunkSizeWarningLimit: 2000,
          rolldownOptions: { input: join(here, 'src/share/main.ts'), output: { format: 'iife' } },
        },
      })
    },
  }
}
