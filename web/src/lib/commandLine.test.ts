import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { commandLine, evolveWords, pathIn, quote, runPath } from './commandLine'

const ODD = [
  'walk-1',
  '',
  'a b',
  "it's",
  "''",
  '"double"',
  '$HOME',
  '`id`',
  '$(id)',
  'a;b&c|d>e<f',
  'back\\slash',
  'back\\',
  'new\nline',
  'tab\there',
  '*?[x]{a,b}',
  '~root',
  '#12',
  'a#12',
  '!history',
  'VAR=value',
  'ümlaut 走る 🐙',
  '-rf',
  '--',
  '(x)',
  '^',
]

/** What a shell passes to a program as its arguments. */
function argumentsOf(line: string): string[] {
  const printed = execFileSync('sh', ['-c', `print() { printf '%s\\0' "$@"; }; print ${line}`], { encoding: 'utf8' })
  return printed.split('\0').slice(0, -1)
}

describe('command lines', () => {
  it('pass every word through a shell unchanged', () => {
    expect(argumentsOf(ODD.map(quote).join(' '))).toEqual(ODD)
  })

  it('pass random words through a shell unchanged', () => {
    // A linear congruential generator, so that the words are always the same.
    let state = 1
    const random = (below: number) => {
      state = (state * 1103515245 + 12345) % 2 ** 31
      return Math.floor((state / 2 ** 31) * below)
    }
    const letters = [...' \t\n\'"\\$`!#~*?[]{}()<>|&;=-^%a1/.é']
    const words = Array.from({ length: 500 }, () =>
      Array.from({ length: random(12) }, () => letters[random(letters.length)]!).join(''),
    )
    expect(argumentsOf(words.map(quote).join(' '))).toEqual(words)
  })

  it('quote only words that need it', () => {
    expect(commandLine('burgess', 'watch', 'runs/walk-1.burgess')).toBe('burgess watch runs/walk-1.burgess')
    expect(commandLine('burgess', 'watch', runPath('runs', 'walk-1', 17))).toBe(
      "burgess watch 'runs/walk-1.burgess#17'",
    )
    expect(quote('VAR=value')).toBe("'VAR=value'")
  })

  it('name files so that they do not look like options', () => {
    for (const name of ODD.filter((name) => name !== '')) {
      for (const folder of ['runs', '', '-x']) {
        const path = runPath(folder, name, 3)
        expect(path.startsWith('-')).toBe(false)
        expect(path.endsWith(`${name}.burgess#3`)).toBe(true)
      }
    }
    expect(pathIn('', '-a.toml')).toBe('./-a.toml')
  })

  it('start the run of the form', () => {
    const run = { task: 'walk', seed: 3, evaluations: 2000, algorithm: 'map_elites', family: 'legged' }
    expect(commandLine('burgess', ...evolveWords(run))).toBe(
      'burgess evolve walk --seed 3 --evaluations 2000 --algorithm map-elites --family legged',
    )
    expect(evolveWords({ ...run, seed: null }).join(' ')).toBe(
      'evolve walk --evaluations 2000 --algorithm map-elites --family legged',
    )
    // Without an algorithm the run has the stages of the default.
    expect(evolveWords({ ...run, algorithm: '' }).join(' ')).toBe(
      'evolve walk --seed 3 --evaluations 2000 --family legged',
    )
  })
})
