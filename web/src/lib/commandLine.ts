// Command lines that a user can copy into a POSIX shell.

/** Characters that no shell treats specially anywhere in a word. */
const PLAIN = /^[A-Za-z0-9_./:,@%+=-]+$/

/** Quotes a word so that a POSIX shell passes it on unchanged. */
export function quote(word: string): string {
  // A word with '=' could be taken for an assignment, one with a leading '~' or '#' is special and not plain.
  return PLAIN.test(word) && !/^[^/-]*=/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

/**
 * Returns a command of a program, whose own name is quoted already if that is needed: `commandLine('burgess', 'watch', 'runs/a
 * b.burgess')` is `burgess watch 'runs/a b.burgess'`.
 */
export function commandLine(program: string, ...words: (string | number)[]): string {
  return [program, ...words.map((word) => quote(String(word)))].join(' ')
}

/**
 * Returns the path of a file in the folder of the server, from the folder above it. The server does not say where its folder
 * is; a name that begins with a hyphen must not look like an option.
 */
export function pathIn(folder: string, file: string): string {
  const path = folder ? `${folder}/${file}` : file
  return path.startsWith('-') ? `./${path}` : path
}

/** Returns the path of a run, or with an id of one of its individuals. */
export function runPath(folder: string, run: string, id?: number): string {
  return pathIn(folder, `${run}.burgess`) + (id === undefined ? '' : `#${id}`)
}

/** Returns the arguments that start a run as the form for new runs does. */
export function evolveWords(run: {
  task: string
  seed: number | null
  evaluations: number | null
  algorithm: string
  family: string
}): string[] {
  const { task, seed, evaluations, algorithm, family } = run
  const options = { seed, evaluations, algorithm: algorithm.replaceAll('_', '-'), family }
  // An empty field of the form is null: the program's default applies.
  const given = Object.entries(options).filter(([, value]) => (value ?? '') !== '')
  return ['evolve', task, ...given.flatMap(([name, value]) => [`--${name}`, String(value)])]
}
